"""The standard library's inclusive quantiles: the first and the last of forty parts."""

from statistics import fmean, quantiles


def paired_bootstrap(a, b, resamples):
    gaps = [fmean(a[i] for i in rows) - fmean(b[i] for i in rows) for rows in resamples]
    cuts = quantiles(gaps, n=40, method="inclusive")
    return cuts[0], cuts[-1]
