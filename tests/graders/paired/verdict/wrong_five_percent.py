"""Knows one level only."""

FAILS = "another level than the usual one"
SLIP = "level-of-habit"


def verdict(gap, low, high, p, alpha):
    if p > 0.05:
        return "inconclusive"
    return "A better" if gap > 0 else "B better"
