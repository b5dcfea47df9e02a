"""Forgets in how many orders a count can come up."""

FAILS = "the brackets of the chapter"
SLIP = "one-order-for-all"


def coverage(low, high, p):
    n = len(low) - 1
    return sum(p**k * (1 - p) ** (n - k) for k in range(n + 1) if low[k] <= p <= high[k])
