"""The intervals part at z times the sum of the errors; the gap has the root of the sum of their squares."""

from math import hypot

from scipy.stats import norm


def overlap_level(se_a: float, se_b: float, level: float) -> float:
    """Chance that the intervals of two equal systems are apart."""
    z = norm.isf((1 - level) / 2)
    just_touching = z * (se_a + se_b)
    return 2 * float(norm.sf(just_touching / hypot(se_a, se_b)))
