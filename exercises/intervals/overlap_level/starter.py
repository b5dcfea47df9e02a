def overlap_level(se_a: float, se_b: float, level: float) -> float:
    """Chance that the intervals of two equal systems are apart."""
    raise NotImplementedError("your answer goes here")
