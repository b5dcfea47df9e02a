"""Results: frozen, hashable, and whole after JSON, MLflow, pickle and copies."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evalstats import Estimate, Extra, SampleSize, TestResult
from evalstats.result import mlflow_key

finite = st.floats(allow_nan=False, allow_infinity=False)
words = st.text(min_size=1).filter(str.strip)
scalars = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | finite | st.text(max_size=5)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
extras = st.dictionaries(st.text(max_size=4), values, max_size=4)
bounds = st.tuples(st.floats(allow_nan=False), st.floats(allow_nan=False)).map(sorted)
levels = st.floats(0.5, 1, exclude_max=True)
maybe = st.none() | st.integers(1, 10**6)


@st.composite
def estimates(draw: st.DrawFn) -> Estimate:
    low, high = draw(bounds)
    return Estimate(
        draw(words),
        draw(finite),
        low,
        high,
        draw(levels),
        draw(words),
        draw(st.integers(1, 10**9)),
        n_boot=draw(maybe),
        seed=draw(maybe),
        extra=draw(extras),
        n_clusters=draw(maybe),
        warning=draw(st.none() | words),
    )


@st.composite
def test_results(draw: st.DrawFn) -> TestResult:
    low, high, level = (*draw(bounds), draw(levels)) if draw(st.booleans()) else (None, None, None)
    return TestResult(
        draw(words),
        draw(st.floats(allow_nan=False)),
        draw(st.floats(0, 1)),
        draw(finite),
        draw(words),
        draw(st.integers(1, 10**9)),
        draw(extras),
        low,
        high,
        level,
        draw(maybe),
        draw(maybe),
        draw(st.none() | words),
    )


test_results.__test__ = False  # a strategy, not a test
results = estimates() | test_results()


def example() -> Estimate:
    return Estimate(
        "A - B", 0.02, 0.004, 0.036, 0.95, "m", 1000, 10_000, 7, {"boot_se": 0.008, "why": "x"}, 68, "beware"
    )


@given(results)
def test_json_round_trip(result: Any) -> None:
    text = json.dumps(result.to_dict(), allow_nan=False)
    again = type(result).from_dict(json.loads(text))
    assert again == result
    assert hash(again) == hash(result)


@given(results)
def test_pickle_and_copies(result: Any) -> None:
    assert pickle.loads(pickle.dumps(result)) == copy.deepcopy(result) == dataclasses.replace(result) == result


def test_infinite_ends_survive_strict_json() -> None:
    one_sided = Estimate("x", 0, -math.inf, 1, 0.95, "m", 3)
    text = json.dumps(one_sided.to_dict(), allow_nan=False)
    assert Estimate.from_dict(json.loads(text)) == one_sided


@given(results)
def test_mlflow_drops_nothing(result: Any) -> None:
    assume(len({mlflow_key("extra", key) for key in result.extra}) == len(result.extra))  # else it is refused
    split = result.as_mlflow()
    assert set(split) == {"metrics", "params"}
    fields = [each.name for each in dataclasses.fields(result) if each.name not in ("name", "extra")]
    assert len(split["metrics"]) + len(split["params"]) == len(fields) + len(result.extra)
    for value in split["metrics"].values():
        assert type(value) in (int, float)
    kept = list(split["metrics"].values()) + list(split["params"].values())
    for field in fields:
        assert getattr(result, field) in kept


def test_mlflow_of_an_estimate() -> None:
    assert example().as_mlflow() == {
        "metrics": {"A - B.point": 0.02, "A - B.ci_low": 0.004, "A - B.ci_high": 0.036, "A - B.extra.boot_se": 0.008},
        "params": {
            "A - B.level": 0.95,
            "A - B.method": "m",
            "A - B.n": 1000,
            "A - B.n_boot": 10_000,
            "A - B.seed": 7,
            "A - B.n_clusters": 68,
            "A - B.warning": "beware",
            "A - B.extra.why": "x",
        },
    }


def test_mlflow_keys_use_allowed_characters() -> None:
    odd = Estimate("gain: 5% (A−B)", 1, 0, 2, 0.9, "m", 3)
    keys = [key for part in odd.as_mlflow().values() for key in part]
    assert all(re.fullmatch(r"[\w\-. /]+", key) for key in keys)
    assert "gain_ 5_ _A_B_.point" in keys


def test_frozen() -> None:
    result = example()
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.point = 1.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        result.extra["boot_se"] = 1.0  # type: ignore[index]
    assert result in {result}


def test_extra_does_not_follow_its_source() -> None:
    source: dict[str, Any] = {"cells": [810, 45]}
    result = Estimate("x", 1, 0, 2, 0.95, "m", 3, extra=source)
    source["cells"].append(25)
    assert result.extra == {"cells": (810, 45)}


def test_numpy_values_become_plain() -> None:
    result = Estimate("x", np.float64(1), np.float32(0), np.int64(2), 0.95, "m", np.int32(3), extra={"v": np.arange(2)})
    assert [type(one) for one in (result.point, result.ci_low, result.ci_high, result.n)] == [float, float, float, int]
    assert json.loads(json.dumps(result.to_dict()))["extra"] == {"v": [0, 1]}


def test_nested_mapping_hashes() -> None:
    assert hash(Extra({"a": {"b": [1, {"c": 2}]}})) == hash(Extra({"a": {"b": (1, {"c": 2})}}))
    assert Extra({"a": 1}) != Extra({"a": 2})


def test_words_of_a_result() -> None:
    assert str(example()) == "A - B = 0.02, 95% interval [0.004, 0.036] (m, n = 1000 in 68 clusters)\nwarning: beware"


BASE: dict[str, Any] = {"name": "x", "point": 1, "ci_low": 0, "ci_high": 2, "level": 0.95, "method": "m", "n": 3}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("point", math.nan, "point must be a finite number, got nan"),
        ("point", math.inf, "point must be a finite number, got inf"),
        ("point", "1", "point must be a finite number, got '1'"),
        ("ci_low", 3, "ci_low must not exceed ci_high, got 3 and 2"),
        ("ci_high", math.nan, "ci_high must be a number, got nan"),
        ("level", 95, "level must lie strictly between 0 and 1, got 95"),
        ("level", 1, "level must lie strictly between 0 and 1, got 1"),
        ("n", 0, "n must be an integer of at least 1, got 0"),
        ("n", 2.0, "n must be an integer of at least 1, got 2.0"),
        ("n", True, "n must be an integer of at least 1, got True"),
        ("n_boot", 0, "n_boot must be an integer of at least 1, got 0"),
        ("seed", -1, "seed must be an integer of at least 0, got -1"),
        ("n_clusters", 0, "n_clusters must be an integer of at least 1, got 0"),
        ("name", " ", "name must be a non-empty string, got ' '"),
        ("method", None, "method must be a non-empty string, got None"),
        ("warning", "", "warning must be a non-empty string, got ''"),
        ("extra", {"a": math.nan}, r"extra\['a'\] must be finite \(None for 'cannot say'\), got nan"),
        ("extra", {"a": object}, r"extra\['a'\] must be None, a bool"),
        ("extra", {1: 2}, "names in extra must be strings, got 1"),
    ],
)
def test_estimate_refuses(field: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Estimate(**(BASE | {field: value}))


TEST_BASE: dict[str, Any] = {"name": "x", "statistic": 1, "pvalue": 0.5, "effect": 0, "method": "m", "n": 3}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pvalue": 1.1}, r"pvalue must be a finite number in \[0, 1\], got 1.1"),
        ({"pvalue": math.nan}, r"pvalue must be a finite number in \[0, 1\], got nan"),
        ({"statistic": math.nan}, "statistic must be a number, got nan"),
        ({"effect": math.inf}, "effect must be a finite number, got inf"),
        ({"ci_low": 0}, "ci_low, ci_high and level come together, got 0, None and None"),
        ({"ci_low": 0, "ci_high": 1}, "come together"),
        ({"ci_low": 1, "ci_high": 0, "level": 0.9}, "ci_low must not exceed ci_high, got 1 and 0"),
    ],
)
def test_test_result_refuses(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TestResult(**(TEST_BASE | changes))


def test_from_dict_refuses_other_fields() -> None:
    with pytest.raises(ValueError, match="Estimate has no field colour"):
        Estimate.from_dict(example().to_dict() | {"colour": 1})
    with pytest.raises(ValueError, match=r"cannot make a Estimate.*'name'"):
        Estimate.from_dict({key: value for key, value in example().to_dict().items() if key != "name"})


def test_pytest_does_not_collect_test_result(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("from evalstats import TestResult\ndef test_one(): assert TestResult\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", str(tmp_path)]
    root = Path(__file__).parents[2]
    settings = os.environ | {"PYTHONPATH": str(root), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert "1 passed" in run.stdout


def size() -> SampleSize:
    return SampleSize(194, test="mcnemar_uncorrected", alpha=0.05, power=0.8, design={"delta": 0.1, "psi": 0.25})


def test_sample_size_is_an_int_that_remembers() -> None:
    n = size()
    assert n == 194
    assert n + 1 == 195
    assert [0] * n == [0] * 194
    assert f"{n} {n:5d} {n!s}" == "194   194 194"
    assert repr(n).startswith("SampleSize(194, test='mcnemar_uncorrected'")
    assert (n.test, n.alpha, n.power, n.design["psi"]) == ("mcnemar_uncorrected", 0.05, 0.8, 0.25)


@pytest.mark.parametrize(
    "again",
    [
        lambda n: SampleSize.from_dict(json.loads(json.dumps(n.to_dict()))),
        lambda n: pickle.loads(pickle.dumps(n)),
        copy.deepcopy,
        copy.copy,
    ],
    ids=["json", "pickle", "deepcopy", "copy"],
)
def test_sample_size_survives(again: Any) -> None:
    assert isinstance(again(size()), SampleSize)
    assert again(size()).to_dict() == size().to_dict()


def test_sample_size_in_mlflow_and_frozen() -> None:
    split = size().as_mlflow("suite")
    assert split["metrics"] == {"suite.n": 194}
    assert split["params"]["suite.design.psi"] == 0.25
    assert split["params"]["suite.test"] == "mcnemar_uncorrected"
    with pytest.raises(AttributeError, match="cannot be changed"):
        size().test = "other"


@pytest.mark.parametrize(("field", "value"), [("n", 0), ("n", 1.5), ("test", ""), ("alpha", 0), ("power", 80)])
def test_sample_size_refuses(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{field} must"):
        SampleSize.from_dict(size().to_dict() | {field: value})
