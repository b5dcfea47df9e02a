"""Rejects below alpha, and not at it."""

FAILS = "another level than the usual one"
SLIP = None


def verdict(gap, low, high, p, alpha):
    if p >= alpha:
        return "inconclusive"
    return "A better" if gap > 0 else "B better"
