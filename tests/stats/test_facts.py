"""Every key of an `extra` is explained in the book's list of them, and nothing is explained that is not there."""

from __future__ import annotations

import doctest
import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evalstats as es
from evalstats.__main__ import main

ROOT = Path(__file__).parents[2]
LOG = str(ROOT / "tests" / "reference" / "logs" / "sums_a.eval")

rng = np.random.default_rng(5)
A, B = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
V, W = rng.normal(size=60), rng.normal(size=60)
GROUPS, STRATA = [row // 4 for row in range(60)], [row // 20 for row in range(60)]
UNEQUAL = [0, 0, 0, *range(57)]

# What the examples in the docstrings leave out: clusters, strata, graded scores, other forms.
CALLS: dict[str, Callable[[], Any]] = {
    "clusters": lambda: [
        es.mean_interval(A, GROUPS, STRATA),
        es.mean_interval([1] * 60, GROUPS),
        es.compare_paired(A, B, groups=GROUPS, strata=STRATA),
        es.compare_paired(A, A, groups=GROUPS),
        es.paired_cluster_interval(V, W, GROUPS),
        es.cluster_mean_interval(V, UNEQUAL),
        es.noninferiority_test(A, B, margin=0.2, groups=GROUPS),
        es.equivalence_test(V, W, margin=0.9, groups=GROUPS),
        es.cohen_kappa(A, B, groups=GROUPS),
        es.pass_at_k([1, 2, 3, 0, 2, 1], [4] * 6, 2, groups=[1, 1, 2, 2, 3, 3]),
        es.rank_intervals({"a": A, "b": B, "c": rng.integers(0, 2, 60)}, GROUPS, STRATA),
        es.shrunken_winner({"a": V, "b": W}, GROUPS),
        es.max_t_asymptotic({"a": V}, W, GROUPS, n_boot=200),
    ],
    "resampling": lambda: [
        es.sign_flip_test(V, W, n_resamples=50),
        es.bootstrap_mean(V, UNEQUAL, n_boot=50),
        es.bootstrap_paired_diff(A, B, GROUPS, n_boot=50),
        es.bca_mean(V, GROUPS, n_boot=50),
        es.bca_paired_diff(V, W, GROUPS, n_boot=50),
        es.bootstrap_kappa(A, B, n_boot=50),
    ],
    "planning": lambda: [
        es.required_n_two_proportions(0.8, 0.7, cluster_size=5, icc=0.2).design,
        es.power_two_proportions(200, 0.8, 0.7, cluster_size=5, icc=0.2),
        es.pilot_required_n_paired_mean(V, W, GROUPS, delta=0.5),
        es.cheapest_design(0.05, es.item_decode_components(rng.integers(0, 2, (40, 3)))),
        es.design_standard_error({"seed": 0.1, "item": 0.2, "seed_item": 0.1, "decode": 0.1}),
    ],
    "commands": lambda: [
        main(["accuracy", LOG, "--metric", "match", "--cluster", "template"]),
        main(["accuracy", LOG, "--metric", "graded", "--stratum", "kind"]),
        main(["compare", LOG, LOG, "--metric", "match"]),
        main(["compare", LOG, LOG.replace("sums_a", "sums_b"), "--metric", "match", "--margin", "-0.3"]),
    ],
}


def listed() -> set[str]:
    """The keys in the first column of the table."""
    section = (ROOT / "book" / "appendix" / "api.md").read_text(encoding="utf-8").split("(appendix-extra)=")[1]
    rows = re.findall(r"^\| (`.*?) \|", section.split("\n## ", 2)[1], re.MULTILINE)
    keys = [key for row in rows for key in re.findall(r"`(\w+)`", row)]
    return set(keys)


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> dict[str, None]:
    """Keys of each `extra` that is made from now on, but for mappings inside of it."""
    seen: dict[str, None] = {}
    inside = 0
    plain = es.Extra.__init__

    def recording(self: es.Extra, values: Any = None) -> None:
        nonlocal inside
        inside += 1
        plain(self, values)
        inside -= 1
        if not inside:
            seen.update(dict.fromkeys(self))

    monkeypatch.setattr(es.Extra, "__init__", recording)
    return seen


def run_examples() -> None:
    """Those in the docstrings of all public names, but for `Extra` itself and made-up results."""
    for module, names in es.HOMES.items():
        if module != "result":
            home = importlib.import_module(f"evalstats.{module}")
            for name in names:
                for test in doctest.DocTestFinder().find(getattr(home, name), name, globs=dict(vars(home))):
                    doctest.DocTestRunner().run(test, out=lambda _: None)


def test_every_key_is_explained_and_every_explanation_has_its_key(keys: dict[str, None]) -> None:
    run_examples()
    for calls in CALLS.values():
        calls()
    assert len(keys) > 100
    assert sorted(set(keys) - listed()) == []
    assert sorted(listed() - set(keys)) == []
