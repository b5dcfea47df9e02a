"""One condition within another."""


def verdict(gap, low, high, p, alpha):
    return ("A better" if gap > 0 else "B better") if p <= alpha else "inconclusive"
