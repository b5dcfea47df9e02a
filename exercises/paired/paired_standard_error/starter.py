def paired_standard_error(both: int, a_only: int, b_only: int, neither: int) -> dict[str, float]:
    """Standard error of score A minus score B: paired, and as if the two sets of items were independent."""
    raise NotImplementedError("write your answer in place of this line")
