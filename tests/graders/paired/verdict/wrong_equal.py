"""Reads a large p-value as equality."""

FAILS = "nothing found"
SLIP = "large-p-means-equal"


def verdict(gap, low, high, p, alpha):
    if p > alpha:
        return "equal"
    return "A better" if gap > 0 else "B better"
