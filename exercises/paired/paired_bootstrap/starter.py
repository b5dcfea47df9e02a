def paired_bootstrap(a: list[int], b: list[int], resamples: list[list[int]]) -> list[float]:
    """[low, high] of the percentile interval for A minus B."""
    raise NotImplementedError("your answer goes here")
