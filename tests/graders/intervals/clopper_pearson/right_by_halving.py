"""Halves its way to the two tails."""

from math import comb


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2

    def tail_of(counts, p):
        return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in counts)

    def halve(keeps):
        inside, outside = k / n, keeps
        counts = range(k, n + 1) if outside == 0 else range(k + 1)
        for _ in range(25):
            middle = (inside + outside) / 2
            if tail_of(counts, middle) > tail:
                inside = middle
            else:
                outside = middle
        return inside

    return [halve(0) if k else 0, halve(1) if k < n else 1]
