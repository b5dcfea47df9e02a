def coverage(low: list[float], high: list[float], p: float) -> float:
    """Chance that the interval holds p, when the truth is p."""
    raise NotImplementedError("your answer goes here")
