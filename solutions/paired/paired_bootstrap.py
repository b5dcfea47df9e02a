"""Resample items: the two marks of an item stay together."""

import numpy as np


def paired_bootstrap(a: list[int], b: list[int], resamples: list[list[int]]) -> list[float]:
    """[low, high] of the percentile interval for A minus B."""
    item_differences = np.array(a) - np.array(b)
    gaps = item_differences[np.array(resamples)].mean(axis=1)
    low, high = np.quantile(gaps, [0.025, 0.975])
    return [float(low), float(high)]
