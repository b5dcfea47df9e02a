"""Falls back on the error for separate sets where nothing disagrees."""

from math import sqrt

FAILS = "small tables, and no disagreement at all"
SLIP = None


def paired_standard_error(both, a_only, b_only, neither):
    n = both + a_only + b_only + neither
    p_a, p_b = (both + a_only) / n, (both + b_only) / n
    gap, flips = p_a - p_b, (a_only + b_only) / n
    independent = sqrt((p_a * (1 - p_a) + p_b * (1 - p_b)) / n)
    return {"paired": sqrt((flips - gap**2) / n) if flips else independent, "independent": independent}
