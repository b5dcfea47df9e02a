"""Rounds p before it compares."""

FAILS = "another level than the usual one"
SLIP = None


def verdict(gap: float, low: float, high: float, p: float, alpha: float) -> str:
    if round(p, 3) > round(alpha, 3):
        return "inconclusive"
    return "A better" if gap > 0 else "B better"
