"""Writes the values against which the widgets' own formulas are tested: `python -m book.tools.widget_values`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats

from book.tools.places import WIDGETS
from book.tools.widget_static import (
    HUNDRED_SEED,
    KINDS,
    TASKS,
    TRUTH,
    correlation,
    exact_coverage,
    first_hundred,
    share_of_wide_gaps,
)
from evalstats.paired import (
    PairedTable,
    mcnemar_corrected,
    mcnemar_exact,
    mcnemar_midp,
    mcnemar_uncorrected,
    tango_interval,
    unpaired_z_pooled,
    unpaired_z_unpooled,
)
from evalstats.proportion import clopper_pearson_interval, wald_interval, wilson_interval
from evalstats.result import TestResult

VALUES = WIDGETS / "test" / "values.json"

# The chapter's table, the same accuracies independent and nested, and every kind of edge.
TABLES = (
    (810, 45, 25, 120), (714, 141, 121, 24), (835, 20, 0, 145), (690, 165, 145, 0),
    (20, 0, 0, 20), (36, 4, 0, 0), (0, 4, 36, 0), (0, 0, 50, 0), (0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1),
    (0, 7, 7, 0), (10, 6, 1, 3), (10, 35, 35, 20), (100, 14, 5, 81), (3, 1, 2, 1), (0, 30, 0, 30), (0, 50, 50, 0),
    (90000, 4900, 4700, 400), (0, 49000, 50000, 1000), (50000, 30000, 20000, 0),
)  # fmt: skip


def table_values(table: PairedTable) -> dict[str, Any]:
    right_a, right_b = table.both_right + table.a_only, table.both_right + table.b_only
    tango = tango_interval(table)
    return {
        "cells": [table.both_right, table.a_only, table.b_only, table.neither],
        "difference": table.difference,
        "correlation": correlation(table),
        "exact": mcnemar_exact(table).pvalue,
        "midp": mcnemar_midp(table).pvalue,
        "uncorrected": _test(mcnemar_uncorrected(table)),
        "corrected": _test(mcnemar_corrected(table)),
        "pooled": _test(unpaired_z_pooled(right_a, table.n, right_b, table.n)),
        "unpooled": _unpooled(right_a, right_b, table.n),
        "tango": [tango.ci_low, tango.ci_high],
    }


def _test(result: TestResult) -> dict[str, float | None]:
    return {"statistic": result.statistic, "p": result.pvalue}


def _unpooled(right_a: int, right_b: int, n: int) -> dict[str, float | None] | None:
    """None where the library refuses: one system all right, the other all wrong."""
    if {right_a, right_b} == {0, n}:
        return None
    result = unpaired_z_unpooled(right_a, n, right_b, n)
    return {**_test(result), "low": result.ci_low, "high": result.ci_high}


def fair_tails() -> Iterator[list[float]]:
    """k, n and P(X <= k) for X ~ Bin(n, 1/2)."""
    for n in (1, 2, 7, 70, 1000, 20000):
        for k in sorted({0, n // 10, n // 3, n // 2}):
            if (p := float(stats.binom.cdf(k, n, 0.5))) > 1e-280:
                yield [k, n, p]


def interval_ends() -> Iterator[list[Any]]:
    """n, k and both ends of the three 95% intervals, Wald's cut at 0 and 1."""
    for n in (5, 20, 57, 100, 200):
        for k in sorted({0, 1, n // 3, n // 2, 17 * n // 20, n - 2, n - 1, n}):
            estimates = (interval(k, n) for interval in (wald_interval, wilson_interval, clopper_pearson_interval))
            yield [n, k, *([estimate.ci_low, estimate.ci_high] for estimate in estimates)]


def coverages() -> Iterator[list[float]]:
    """n, p and the exact coverage of the three intervals, in the order of KINDS."""
    for n in (5, 20, 100, 200):
        for p in (0.001, 0.05, 0.3, 0.5, 0.85, 0.95, 0.9912, 0.999):
            yield [n, p, *(exact_coverage(kind, n, p) for kind in KINDS)]


def values() -> dict[str, Any]:
    return {
        "written by": "python -m book.tools.widget_values, from evalstats",
        "tables": [table_values(PairedTable(*cells)) for cells in TABLES],
        "fair_tails": list(fair_tails()),
        "normal_cdf": [[z, float(stats.norm.cdf(z))] for z in np.linspace(-8, 8, 33).tolist()],
        "chi_square_tail": [[x, float(stats.chi2.sf(x, 1))] for x in (0.0, 0.01, 1.0, 3.84, 5.157, 9.0, 25.0, 100.0)],
        "wide_gaps": [[n, p, share_of_wide_gaps(n, p)] for n in (100, 500, 2000) for p in (0.5, 0.85, 0.99)],
        "intervals": list(interval_ends()),
        "coverages": list(coverages()),
        "first_hundred": first_hundred(HUNDRED_SEED, TASKS, TRUTH),
    }


def as_text() -> str:
    return json.dumps(values(), indent=1) + "\n"


if __name__ == "__main__":
    VALUES.write_text(as_text(), encoding="utf-8")
