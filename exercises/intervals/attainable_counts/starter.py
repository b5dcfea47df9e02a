def attainable_counts(printed: str, n: int) -> list[int]:
    """Counts of n whose rounded percentage is the printed one."""
    raise NotImplementedError("your answer goes here")
