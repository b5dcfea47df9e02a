"""Lets a gap below a threshold of its own count for nothing."""

FAILS = "a gap that is small and sure"
SLIP = None


def verdict(gap, low, high, p, alpha):
    if p > alpha or abs(gap) < 0.005:
        return "inconclusive"
    return "A better" if gap > 0 else "B better"
