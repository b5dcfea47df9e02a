"""Takes the mean over the disagreements alone."""

from math import sqrt

FAILS = "the paired standard error"
SLIP = "concordant-pairs-are-worthless"


def paired_standard_error(both, a_only, b_only, neither):
    n = both + a_only + b_only + neither
    p_a, p_b = (both + a_only) / n, (both + b_only) / n
    var_a, var_b = p_a * (1 - p_a), p_b * (1 - p_b)
    return {
        "paired": sqrt((1 - ((a_only - b_only) / (a_only + b_only)) ** 2) / (a_only + b_only)),
        "independent": sqrt((var_a + var_b) / n),
    }
