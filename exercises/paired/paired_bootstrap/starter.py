def paired_bootstrap(a: list[int], b: list[int], resamples: list[list[int]]) -> list[float]:
    """[low, high] of the 95% percentile interval for mean A minus mean B, resampling items."""
    raise NotImplementedError("write your answer in place of this line")
