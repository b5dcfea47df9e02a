"""Takes equal scores for certain: a p-value of zero."""

import math

FAILS = "two sets of different size"
SLIP = None


def unpaired_z(k_a: int, n_a: int, k_b: int, n_b: int) -> dict[str, list[float]]:
    a, b, both = k_a / n_a, k_b / n_b, (k_a + k_b) / (n_a + n_b)
    separate = math.sqrt(a * (1 - a) / n_a + b * (1 - b) / n_b)
    common = math.sqrt(both * (1 - both) * (1 / n_a + 1 / n_b))

    def with_p(error: float) -> list[float]:
        z = (a - b) / error
        return [z, math.erfc(abs(z) / math.sqrt(2)) if z else 0.0]

    return {"unpooled": with_p(separate), "pooled": with_p(common)}
