def clopper_pearson(k: int, n: int, level: float) -> tuple[float, float]:
    """Ends of the Clopper-Pearson interval for k of n, as shares."""
    raise NotImplementedError("your answer goes here")
