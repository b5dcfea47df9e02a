def unpaired_z(k_a: int, n_a: int, k_b: int, n_b: int) -> dict[str, list[float]]:
    """[z, two-sided p] for score A minus score B, both forms."""
    raise NotImplementedError("your answer goes here")
