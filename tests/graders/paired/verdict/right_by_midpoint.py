"""Takes the side on which the interval is centred."""


def verdict(gap, low, high, p, alpha):
    names = {True: "A better", False: "B better"}
    if not p <= alpha:
        return "inconclusive"
    return names[(low + high) / 2 > 0]
