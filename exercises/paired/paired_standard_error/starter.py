def paired_standard_error(both: int, a_only: int, b_only: int, neither: int) -> dict[str, float]:
    """Standard errors of A minus B: paired, and for separate sets."""
    raise NotImplementedError("your answer goes here")
