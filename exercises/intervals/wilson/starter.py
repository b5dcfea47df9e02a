def wilson(k: int, n: int, level: float) -> tuple[float, float]:
    """Ends of the Wilson interval for k of n, as shares."""
    raise NotImplementedError("your answer goes here")
