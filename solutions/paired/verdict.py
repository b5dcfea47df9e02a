"""The test that was named beforehand decides; the sign of the gap names the system; "equal" is never the word."""


def verdict(gap: float, low: float, high: float, p: float, alpha: float) -> str:
    """The verdict by the rule that was fixed beforehand: the test decides, the sign of the gap names the system."""
    if p > alpha:
        return "inconclusive"
    return "A better" if gap > 0 else "B better"
