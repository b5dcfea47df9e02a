"""Calls systems equal when the interval keeps close to zero."""

FAILS = "nothing found"
SLIP = "large-p-means-equal"


def verdict(gap, low, high, p, alpha):
    if p > alpha:
        return "equal" if high - low < 0.02 else "inconclusive"
    return "A better" if gap > 0 else "B better"
