"""Wants both the test and the interval."""

FAILS = "test and interval disagree"
SLIP = "interval-overrules-test"


def verdict(gap, low, high, p, alpha):
    if p <= alpha and (low > 0 or high < 0):
        return "A better" if gap > 0 else "B better"
    return "inconclusive"
