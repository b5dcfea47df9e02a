def mid_p(b: int, c: int) -> float:
    """Two-sided mid-p for b and c disagreements."""
    raise NotImplementedError("your answer goes here")
