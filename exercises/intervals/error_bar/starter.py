def error_bar(k: int, n: int) -> dict[str, float]:
    """Standard error and 95% margin of the score k / n, as shares."""
    raise NotImplementedError("your answer goes here")
