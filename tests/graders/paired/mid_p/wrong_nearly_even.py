"""Takes a split that misses evenness by one for no evidence, as the exact test does."""

import math

FAILS = "a table of your own"
SLIP = None


def mid_p(b: int, c: int) -> float:
    if abs(b - c) <= 1:
        return 1.0
    smaller, n = min(b, c), b + c
    fewer = sum(math.comb(n, k) for k in range(smaller))
    return (2 * fewer + math.comb(n, smaller)) / (1 << n)
