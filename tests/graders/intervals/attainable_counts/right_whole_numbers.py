"""Whole numbers only."""


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    number = int(digits.replace(".", ""))
    unit = 10**decimals
    return [k for k in range(n + 1) if abs(200 * unit * k - 2 * number * n) <= n]
