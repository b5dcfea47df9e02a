"""The questions that are timed, and the data they are asked of: numpy alone, so that every environment can make them.

By letter: a a mean, b a large one, c clusters, d a pair, e F1, f kappa, g BCa, h a leaderboard, i the import, k closed
forms.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Data = dict[str, Any]
Answer = dict[str, float]

LEVEL = 0.95
CELLS = (810, 45, 25, 120)  # both right, only A, only B, neither, of each thousand: the table of chapter `paired`
LABELS = (610, 140, 90, 160)  # true and found, false alarms, missed, rightly passed over, of each thousand


@dataclass(frozen=True)
class Case:
    """One question, how much is computed for it, and how close two answers must be."""

    name: str
    letter: str
    title: str
    make: Callable[[dict[str, int]], Data]
    sizes: dict[str, int]
    near: dict[str, float] = field(default_factory=dict)  # how far apart two answers may be, where not simulated ends

    @property
    def simulates(self) -> bool:
        return "n_boot" in self.sizes

    def tolerance(self, key: str, ours: Answer, n_boot: tuple[int, int]) -> float:
        """For the ends of a simulated interval: the step of the data, and five standard errors of both quantiles."""
        if key in self.near:
            return self.near[key]
        spread = (ours["high"] - ours["low"]) / (2 * 1.96)
        tail = (1 - LEVEL) / 2
        of_quantile = math.sqrt(tail * (1 - tail)) / 0.0584  # the normal density at 1.96
        simulated = math.sqrt(sum(1 / number for number in n_boot))
        return 1 / self.sizes["n"] + 5 * simulated * of_quantile * spread


def shuffled_cells(cells: tuple[int, ...], n: int) -> np.ndarray:
    """The number of the cell that each of n items falls into, in no order."""
    if n % 200:
        raise ValueError(f"n must be a multiple of 200, got {n}")
    return np.random.default_rng(n).permutation(np.repeat(np.arange(len(cells)), [cell * n // 1000 for cell in cells]))


def pair_data(sizes: dict[str, int]) -> Data:
    """Scores of A and B on the same items."""
    cell = shuffled_cells(CELLS, sizes["n"])
    return {"a": np.array([1.0, 1.0, 0.0, 0.0])[cell], "b": np.array([1.0, 0.0, 1.0, 0.0])[cell]}


def cluster_data(sizes: dict[str, int]) -> Data:
    """0/1 scores of templates that are easy or hard as a whole."""
    rng = np.random.default_rng(sizes["n"])
    groups = np.repeat(np.arange(sizes["n"] // 5), 5)
    easy = rng.beta(1.4, 0.6, groups[-1] + 1)
    return {"scores": (rng.random(groups.size) < easy[groups]).astype(float), "groups": groups}


def label_data(sizes: dict[str, int]) -> Data:
    """True labels and found ones, 0 or 1."""
    cell = shuffled_cells(LABELS, sizes["n"])
    return {"truth": np.array([1, 0, 1, 0])[cell], "found": np.array([1, 1, 0, 0])[cell]}


def rating_data(sizes: dict[str, int]) -> Data:
    """Two raters with `kinds` labels who agree on about three of four items."""
    rng = np.random.default_rng(sizes["n"])
    first = rng.integers(0, sizes["kinds"], sizes["n"])
    second = np.where(rng.random(first.size) < 0.25, rng.integers(0, sizes["kinds"], first.size), first)
    return {"a": first, "b": second, "kinds": sizes["kinds"]}


def board_data(sizes: dict[str, int]) -> Data:
    """0/1 scores of systems of rising ability on items of different difficulty."""
    rng = np.random.default_rng(sizes["n"])
    ability = np.linspace(0.0, 2.0, sizes["systems"])[:, None]
    right = rng.logistic(size=(sizes["systems"], sizes["n"])) < ability + rng.normal(size=sizes["n"])
    return {"board": right.astype(float)}


def pvalue_data(sizes: dict[str, int]) -> Data:
    """P-values, more of them small than chance would give."""
    return {"p": np.random.default_rng(sizes["n"]).beta(0.5, 1.0, sizes["n"])}


BOOT = {"n_boot": 10_000}
EXACT = dict.fromkeys(("low", "high", "p", "sum", "rejected"), 1e-9)
# Our critical value comes from draws of t, the peer's from resamples; a prototype ranks tied systems in its own way.
BOARD = {"critical": 0.2, "rank_low": 2.0, "rank_high": 2.0}

_THOUSAND = {"n": 1000}
_BOARD = {"n": 1000, "systems": 100}

CASES = {
    case.name: case
    for case in (
        Case("mean", "a", "Percentile interval of a mean, {n:,} items", pair_data, _THOUSAND | BOOT),
        Case("large", "b", "Percentile interval of a mean, {n:,} items", pair_data, {"n": 1_000_000} | BOOT),
        Case("clusters", "c1", "Cluster bootstrap of a mean, {n:,} items in fives", cluster_data, _THOUSAND | BOOT),
        Case("crowd", "c2", "Cluster bootstrap of a mean, {n:,} items in fives", cluster_data, {"n": 100_000} | BOOT),
        Case("pair", "d", "Paired bootstrap of a difference, {n:,} items", pair_data, _THOUSAND | BOOT),
        Case("f1", "e", "Bootstrap of F1, {n:,} items", label_data, {"n": 5000} | BOOT),
        Case("kappa", "f", "Bootstrap of κ, {n:,} items, {kinds} labels", rating_data, _THOUSAND | {"kinds": 3} | BOOT),
        Case(
            "passes", "f", "Bootstrap of κ, {n:,} items, {kinds} labels", rating_data, _THOUSAND | {"kinds": 2} | BOOT
        ),
        Case("bca", "g", "BCa interval of a mean, {n:,} items", pair_data, _THOUSAND | BOOT),
        Case("pairs", "h1", "{systems} systems, {n:,} items: McNemar of all pairs, with BH", board_data, _BOARD, EXACT),
        Case("ranks", "h2", "{systems} systems, {n:,} items: ranks and the best", board_data, _BOARD | BOOT, BOARD),
        Case("ideal", "a", "The interval without simulation, {n:,} items", pair_data, _THOUSAND, EXACT),
        Case("ideal-large", "b", "The interval without simulation, {n:,} items", pair_data, {"n": 1_000_000}, EXACT),
        Case("counts", "a", "The interval from the counts of {n:,} items", pair_data, _THOUSAND | BOOT),
        Case("counts-large", "b", "The interval from the counts of {n:,} items", pair_data, {"n": 1_000_000} | BOOT),
        Case("mcnemar", "k", "Exact McNemar test of {n:,} items", pair_data, _THOUSAND, EXACT),
        Case("table", "k", "Exact McNemar test of four counts", pair_data, _THOUSAND, EXACT),
        Case("t", "k", "Paired t test with its interval, {n:,} items", pair_data, _THOUSAND, EXACT),
        Case("wilson", "k", "Wilson interval", pair_data, _THOUSAND, EXACT),
        Case("agree", "k", "κ with its closed interval, {n:,} items", rating_data, _THOUSAND | {"kinds": 3}, EXACT),
        Case("holm", "k", "Holm's correction, {n:,} p-values", pvalue_data, _THOUSAND, EXACT),
        Case("bh", "k", "Benjamini-Hochberg, {n:,} p-values", pvalue_data, _THOUSAND, EXACT),
        Case("bh-few", "k", "Benjamini-Hochberg, {n:,} p-values", pvalue_data, {"n": 10}, EXACT),
    )
}


def digest(data: Data) -> int:
    """Tells whether two environments made the same data."""
    found = 0
    for value in data.values():
        found = zlib.crc32(np.ascontiguousarray(value).tobytes(), found)
    return found
