"""The share of the counts whose interval holds p."""

FAILS = "the brackets of the chapter"
SLIP = "counts-taken-as-equally-likely"


def coverage(low, high, p):
    return sum(a <= p <= b for a, b in zip(low, high, strict=True)) / len(low)
