def chi_square_forms(b: int, c: int) -> dict[str, list[float]]:
    """[statistic, p] without and with the continuity correction."""
    raise NotImplementedError("your answer goes here")
