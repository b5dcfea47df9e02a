"""Forgets to divide by n."""

from math import sqrt

FAILS = "the paired standard error"
SLIP = "sd-for-se"


def paired_standard_error(both, a_only, b_only, neither):
    n = both + a_only + b_only + neither
    p_a, p_b = (both + a_only) / n, (both + b_only) / n
    var_a, var_b = p_a * (1 - p_a), p_b * (1 - p_b)
    cov = both / n - p_a * p_b
    return {"paired": sqrt(var_a + var_b - 2 * cov), "independent": sqrt((var_a + var_b) / n)}
