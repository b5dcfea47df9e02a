def paired_table(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    """How often both, only A, only B and neither are right, over the items that both have."""
    raise NotImplementedError("write your answer in place of this line")
