"""Whoever is ahead wins."""

FAILS = "nothing found"
SLIP = "any-gap-is-a-win"


def verdict(gap, low, high, p, alpha):
    return "A better" if gap > 0 else "B better"
