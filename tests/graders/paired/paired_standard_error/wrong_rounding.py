"""Takes the root of what rounding has put below zero."""

from math import sqrt

FAILS = "small tables, and no disagreement at all"
SLIP = None


def paired_standard_error(both, a_only, b_only, neither):
    n = both + a_only + b_only + neither
    p_a, p_b = (both + a_only) / n, (both + b_only) / n
    var_a, var_b = p_a * (1 - p_a), p_b * (1 - p_b)
    cov = both / n - p_a * p_b
    return {"paired": sqrt((var_a + var_b - 2 * cov) / n), "independent": sqrt((var_a + var_b) / n)}
