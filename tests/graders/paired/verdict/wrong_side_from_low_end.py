"""Names A only if the whole interval is on its side."""

FAILS = "test and interval disagree"
SLIP = "interval-overrules-test"


def verdict(gap, low, high, p, alpha):
    if p > alpha:
        return "inconclusive"
    return "A better" if low > 0 else "B better"
