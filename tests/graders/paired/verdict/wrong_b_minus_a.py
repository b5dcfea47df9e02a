"""Reads the gap as B minus A."""

FAILS = "A clearly ahead"
SLIP = "reversed-difference"


def verdict(gap, low, high, p, alpha):
    if p > alpha:
        return "inconclusive"
    return "A better" if gap < 0 else "B better"
