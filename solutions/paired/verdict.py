"""The test named beforehand decides; "equal" is never the word."""


def verdict(gap: float, low: float, high: float, p: float, alpha: float) -> str:
    """The verdict by the rule that was fixed beforehand."""
    if p > alpha:
        return "inconclusive"
    return "A better" if gap > 0 else "B better"
