"""The distribution of the gap itself."""

from statistics import NormalDist


def overlap_level(se_a, se_b, level):
    a, b = NormalDist(0, se_a), NormalDist(0, se_b)
    touching = a.inv_cdf((1 + level) / 2) + b.inv_cdf((1 + level) / 2)
    return 2 * (a - b).cdf(-touching)
