def mid_p(b: int, c: int) -> float:
    """Two-sided mid-p of McNemar's test from the two discordant counts."""
    raise NotImplementedError("write your answer in place of this line")
