"""Mean square less squared mean."""

from math import hypot, sqrt


def paired_standard_error(both, a_only, b_only, neither):
    n = both + a_only + b_only + neither
    gap, flips = a_only - b_only, a_only + b_only
    right = [both + a_only, both + b_only]
    errors = [sqrt(k * (n - k) / n**3) for k in right]
    return {"independent": hypot(*errors), "paired": sqrt(n * flips - gap**2) / n**1.5}
