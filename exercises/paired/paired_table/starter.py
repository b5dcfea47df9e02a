def paired_table(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    """The four counts over the items that both logs have."""
    raise NotImplementedError("your answer goes here")
