"""Leaves out the square of the mean difference."""

from math import sqrt

FAILS = "the paired standard error"
SLIP = "null-error-for-interval"


def paired_standard_error(both, a_only, b_only, neither):
    n = both + a_only + b_only + neither
    p_a, p_b = (both + a_only) / n, (both + b_only) / n
    var_a, var_b = p_a * (1 - p_a), p_b * (1 - p_b)
    return {"paired": sqrt(a_only + b_only) / n, "independent": sqrt((var_a + var_b) / n)}
