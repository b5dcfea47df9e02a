def verdict(gap: float, low: float, high: float, p: float, alpha: float) -> str:
    """The verdict by the rule that was fixed beforehand: the test decides, the sign of the gap names the system."""
    raise NotImplementedError("write your answer in place of this line")
