"""Calls two equal scores equal systems."""

FAILS = "nothing found"
SLIP = "large-p-means-equal"


def verdict(gap, low, high, p, alpha):
    if gap == 0:
        return "equal"
    if p > alpha:
        return "inconclusive"
    return "A better" if gap > 0 else "B better"
