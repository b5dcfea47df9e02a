def unpaired_z(k_a: int, n_a: int, k_b: int, n_b: int) -> dict[str, list[float]]:
    """[z, two-sided p] for score A minus score B from two separate sets of questions, unpooled and pooled."""
    raise NotImplementedError("write your answer in place of this line")
