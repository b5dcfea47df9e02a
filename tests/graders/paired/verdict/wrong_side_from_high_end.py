"""Names B only if the whole interval is on its side."""

FAILS = "test and interval disagree"
SLIP = "interval-overrules-test"


def verdict(gap, low, high, p, alpha):
    if p > alpha:
        return "inconclusive"
    return "B better" if high < 0 else "A better"
