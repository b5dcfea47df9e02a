def exact_mcnemar(b: int, c: int) -> float:
    """Two-sided exact McNemar p-value from the two discordant counts."""
    raise NotImplementedError("write your answer in place of this line")
