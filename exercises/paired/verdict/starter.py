def verdict(gap: float, low: float, high: float, p: float, alpha: float) -> str:
    """The verdict by the rule that was fixed beforehand."""
    raise NotImplementedError("your answer goes here")
