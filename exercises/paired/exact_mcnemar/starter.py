def exact_mcnemar(b: int, c: int) -> float:
    """Two-sided exact p-value for b and c disagreements."""
    raise NotImplementedError("your answer goes here")
