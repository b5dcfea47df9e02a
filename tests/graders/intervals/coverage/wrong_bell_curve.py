"""A bell curve in place of the binomial."""

from math import sqrt

from scipy.stats import norm

FAILS = "the brackets of the chapter"
SLIP = None


def coverage(low, high, p):
    n = len(low) - 1
    world = norm(n * p, sqrt(n * p * (1 - p)))
    return sum(world.cdf(k + 0.5) - world.cdf(k - 0.5) for k in range(n + 1) if low[k] <= p <= high[k])
