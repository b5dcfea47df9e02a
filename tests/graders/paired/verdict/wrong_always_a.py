"""A rejection means that A, the new system, is better."""

FAILS = "B clearly ahead"
SLIP = "direction-fixed"


def verdict(gap, low, high, p, alpha):
    return "A better" if p <= alpha else "inconclusive"
