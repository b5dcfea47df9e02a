def chi_square_forms(b: int, c: int) -> dict[str, list[float]]:
    """[statistic, p] of McNemar's chi-square test, without and with the continuity correction."""
    raise NotImplementedError("write your answer in place of this line")
