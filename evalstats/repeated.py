r"""Ask each item several times: can the system do it (pass@k), and does it always (pass^k)?

From n answers to an item, c of them right, both have an unbiased estimate for every k up to n. What is drawn is the
item, so the interval is over items. Near 0 and 1 the items hardly differ, and any interval made from their spread is
too narrow; the one here takes the spread and adds one item that is as bad as an item can be.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, stats

from . import _checks as checks
from ._checks import Groups, Vector
from .result import Estimate
from .sums import added

MOST_K = 10**5  # answers taken one after the other, in less than a second


def _checked(correct: ArrayLike, samples: ArrayLike, k: int) -> tuple[Vector, Vector, int]:
    """Right answers and answers of each item, refused unless 0 <= c <= n and k <= n."""
    right, draws = checks.finite_vector("correct", correct), checks.integer("k", k, 1, MOST_K)
    asked = checks.finite_vector("samples", np.full(right.size, samples) if np.isscalar(samples) else samples)
    checks.equal_lengths("correct", right, "samples", asked)
    checks.same_rows(correct=correct, samples=samples)
    checks.whole_numbers("samples", asked, draws, np.inf, f"whole numbers of at least k = {draws}")
    checks.whole_numbers("correct", right, 0, asked, "whole numbers from 0 to samples")
    return right, asked, draws


def _all_of(counted: Vector, asked: Vector, k: int) -> Vector:
    """The chance that k answers drawn without replacement are all among the counted ones: C(c, k) / C(n, k)."""
    chance = np.ones_like(counted)
    for taken in range(k):
        chance *= np.maximum(counted - taken, 0) / (asked - taken)
    return chance


def item_pass_at_k(correct: ArrayLike, samples: ArrayLike, k: int) -> Vector:
    r"""How likely is at least one of k answers right, item by item? For paired tests and clusters.

    $1 - \binom{n-c}{k}/\binom{n}{k}$. Use the values as scores: `paired_t` compares two systems, and `mean_interval`
    with groups serves items that hang together.

    Parameters
    ----------
    correct : array of whole numbers
        Right answers to each item.
    samples : int, or array of whole numbers
        Answers to each item, at least k.
    k : int
        From 1 to 100,000.

    Returns
    -------
    array
        One value in [0, 1] for each item.

    Raises
    ------
    ValueError
        For counts that are not whole, more right answers than answers, fewer answers than k, and k above 100,000.

    Notes
    -----
    Equation `eq-pass-at-k` of chapter `variance`. M. Chen et al., "Evaluating Large Language Models Trained on Code"
    (2021), arXiv:2107.03374.

    Examples
    --------
    >>> item_pass_at_k([0, 1, 3], samples=4, k=2).tolist()
    [0.0, 0.5, 1.0]
    """
    right, asked, draws = _checked(correct, samples, k)
    return 1 - _all_of(asked - right, asked, draws)


def item_pass_hat_k(correct: ArrayLike, samples: ArrayLike, k: int) -> Vector:
    r"""How likely are all of k answers right, item by item? For paired tests and clusters.

    $\binom{c}{k}/\binom{n}{k}$.

    Parameters
    ----------
    correct, samples, k
        As in `item_pass_at_k`.

    Returns
    -------
    array
        One value in [0, 1] for each item.

    Raises
    ------
    ValueError
        As `item_pass_at_k`.

    Notes
    -----
    Equation `eq-pass-hat-k` of chapter `variance`. The measure is from S. Yao, N. Shinn, P. Razavi and K. Narasimhan,
    "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains" (2024), arXiv:2406.12045.

    Examples
    --------
    >>> item_pass_hat_k([0, 3, 4], samples=4, k=2).tolist()
    [0.0, 0.5, 1.0]
    """
    right, asked, draws = _checked(correct, samples, k)
    return _all_of(right, asked, draws)


# --- the interval ----------------------------------------------------------------------------------------------------


def _chance_below_zero(weights: Vector, counts: Vector) -> float:
    r"""P(sum of weight_j G_j <= 0) for independent gamma variables G_j of shape count_j.

    By inverting the characteristic function: $\frac12 - \frac1\pi\int_0^\infty \sin\theta(t)\,\rho(t)\,dt/t$. With t
    on a logarithmic scale the integrand is smooth and dies off at both ends, where equal steps are exact to rounding.
    """
    step = 0.02
    t = np.exp(np.arange(-40, 45, step)) / math.sqrt(counts @ weights**2)
    angle = np.arctan(np.outer(t, weights)) @ counts
    size = np.exp(np.log1p(np.outer(t, weights) ** 2) @ counts / -2)
    return 0.5 - step * math.fsum(np.sin(angle) * size) / math.pi


def _lower_limit(values: Vector, tail: float) -> float:
    """The mean that is too low for these values in [0, 1] with probability `tail` (equation `eq-bounded-mean`).

    The values and one item of 0 are weighted by the spacings of uniform numbers, that is by exponential variables over
    their sum; the limit is the quantile of the weighted mean.
    """
    atoms, counts = np.unique(np.append(values, 0.0), return_counts=True)
    if atoms.size <= 2:  # at most one value beside 0: the weighted mean is that value times a beta variable
        return float(atoms[-1] * stats.beta.ppf(tail, counts[-1], counts[0]))
    centre = float(counts @ atoms) / counts.sum()
    error = math.sqrt(float(counts @ (atoms - centre) ** 2)) / counts.sum()

    def excess(mean: float) -> float:
        return _chance_below_zero(atoms - mean, counts.astype(np.float64)) - tail

    steps = 1  # down from the middle, for far from it the integrand swings too fast for the grid
    while centre > steps * error and excess(centre - steps * error) > 0:
        steps += 1
    high = centre - (steps - 1) * error if steps > 1 else centre + error  # a median is within one error of its mean
    return float(optimize.brentq(excess, max(0.0, centre - steps * error), high, xtol=1e-12))


def _interval(
    values: Vector, correct: ArrayLike, samples: ArrayLike, k: int, level: float, name: str, groups: Groups
) -> Estimate:
    checks.same_rows(correct=correct, samples=samples, groups=groups)
    facts = {"k": k, "samples_min": int(np.min(samples)), "samples_max": int(np.max(samples)), "drawn": "items"}
    units, n_clusters, warning = values, None, None
    if groups is not None:
        codes, n_clusters = checks.cluster_codes(groups, values.size)
        sizes = np.bincount(codes)
        units = added(codes, values) / sizes
        if np.ptp(sizes):
            warning = f"clusters of unequal size weigh the same here: the mean over items is {values.mean():.4g}"
        facts |= {"drawn": "clusters", "estimand": "mean over clusters, each weighted equally"}
    point, tail = math.fsum(units) / units.size, (1 - checks.share("level", level)) / 2
    low, high = min(_lower_limit(units, tail), point), max(1 - _lower_limit(1 - units, tail), point)
    made = (level, "learned_miller_thomas", values.size, None, None, facts, n_clusters, warning)
    return Estimate(name, point, low, high, *made)


def pass_at_k(
    correct: ArrayLike, samples: ArrayLike, k: int, level: float = 0.95, *, name: str = "", groups: Groups = None
) -> Estimate:
    """On what share of items is at least one of k answers right, and how sure are we?

    Parameters
    ----------
    correct : array of whole numbers
        Right answers to each item.
    samples : int, or array of whole numbers
        Answers to each item, at least k; more of them make the estimate steadier.
    k : int
        From 1 to 100,000.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated; by default "pass_at_" and k.
    groups : sequence of labels, optional
        The cluster of each item, where whole clusters of items were drawn. Each cluster then weighs the same, whatever
        its size, for the interval is that of a plain mean; where sizes differ, that is another quantity, and it warns.

    Returns
    -------
    Estimate
        `n` counts items, drawn one by one (with groups: `n_clusters` clusters, and `extra` says what is averaged). The
        interval never has zero width, and widens honestly near 0 and 1, so no warning is needed there.

    Raises
    ------
    ValueError
        As `item_pass_at_k`; for a level outside [0.5, 1); for groups of another length, missing, or only one.

    Notes
    -----
    Equations `eq-pass-at-k` and `eq-bounded-mean` of chapter `variance`. The interval is that of E. Learned-Miller and
    P. S. Thomas, "A New Confidence Interval for the Mean of a Bounded Random Variable", arXiv:1905.06208, who
    conjecture that it covers at least `level` for whatever distribution on [0, 1]; here without Monte Carlo. Where all
    items give 0 or 1 (as when k equals `samples`) it is Clopper and Pearson's.

    Examples
    --------
    Forty items, ten answers each, all but one item solved at least once:

    >>> print(pass_at_k([0] + [4] * 9 + [10] * 30, samples=10, k=10))
    pass_at_10 = 0.975, 95% interval [0.8684, 0.9994] (learned_miller_thomas, n = 40)
    """
    return _interval(item_pass_at_k(correct, samples, k), correct, samples, k, level, name or f"pass_at_{k}", groups)


def pass_hat_k(
    correct: ArrayLike, samples: ArrayLike, k: int, level: float = 0.95, *, name: str = "", groups: Groups = None
) -> Estimate:
    """On what share of items are all of k answers right, and how sure are we?

    Parameters
    ----------
    correct, samples, k, level, name, groups
        As in `pass_at_k`; the default name is "pass_hat_" and k.

    Returns
    -------
    Estimate
        As `pass_at_k`.

    Raises
    ------
    ValueError
        As `pass_at_k`.

    Notes
    -----
    Equations `eq-pass-hat-k` and `eq-bounded-mean` of chapter `variance`; the interval is that of `pass_at_k`.

    Examples
    --------
    >>> print(pass_hat_k([0] + [4] * 9 + [10] * 30, samples=10, k=5))
    pass_hat_5 = 0.75, 95% interval [0.588, 0.8731] (learned_miller_thomas, n = 40)
    """
    return _interval(item_pass_hat_k(correct, samples, k), correct, samples, k, level, name or f"pass_hat_{k}", groups)
