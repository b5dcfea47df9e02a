"""The older form, with quantiles of F."""

from scipy.stats import f


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = 0 if k == 0 else 1 / (1 + (n - k + 1) / (k * f.ppf(tail, 2 * k, 2 * (n - k + 1))))
    high = 1 if k == n else 1 / (1 + (n - k) / ((k + 1) * f.isf(tail, 2 * (k + 1), 2 * (n - k))))
    return round(low, 4), round(high, 4)
