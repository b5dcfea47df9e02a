"""Claims a win if either test or interval gives one."""

FAILS = "test and interval disagree"
SLIP = "interval-overrules-test"


def verdict(gap, low, high, p, alpha):
    if p > alpha and low <= 0 <= high:
        return "inconclusive"
    return "A better" if gap > 0 else "B better"
