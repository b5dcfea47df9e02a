def overlap_level(se_a: float, se_b: float, level: float) -> float:
    """Chance that the intervals of two equally good systems do not overlap."""
    raise NotImplementedError("your answer goes here")
