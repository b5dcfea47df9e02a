"""What a newcomer hands over by mistake is refused by every function that would have taken it by position."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalstats as es

A = [1, 1, 1, 0, 1, 1, 0, 0] * 6
B = [1, 0, 1, 0, 1, 1, 1, 0] * 6
ITEMS = [f"q{row}" for row in range(48)]
GROUPS = [row // 2 for row in range(48)]
STRATA = [row // 24 for row in range(48)]

PAIRED = {
    "compare_paired": es.compare_paired,
    "mcnemar": es.mcnemar,
    "mcnemar_exact": es.mcnemar_exact,
    "tango_interval": es.tango_interval,
    "paired_t": es.paired_t,
    "sign_flip_test": es.sign_flip_test,
    "paired_cluster_t": lambda a, b: es.paired_cluster_t(a, b, GROUPS),
    "paired_cluster_interval": lambda a, b: es.paired_cluster_interval(a, b, GROUPS),
    "noninferiority_test": lambda a, b: es.noninferiority_test(a, b, margin=0.1),
    "equivalence_test": lambda a, b: es.equivalence_test(a, b, margin=0.1, groups=GROUPS),
    "bootstrap_paired_diff": lambda a, b: es.bootstrap_paired_diff(a, b, n_boot=200),
    "bca_paired_diff": lambda a, b: es.bca_paired_diff(a, b, n_boot=200),
    "ideal_bootstrap_paired_diff": es.ideal_bootstrap_paired_diff,
}
CLUSTERED = {
    "compare_paired": lambda scores, groups: es.compare_paired(scores, B, groups=groups),
    "paired_cluster_t": lambda scores, groups: es.paired_cluster_t(scores, B, groups),
    "paired_cluster_interval": lambda scores, groups: es.paired_cluster_interval(scores, B, groups),
    "sign_flip_test": lambda scores, groups: es.sign_flip_test(scores, B, groups),
    "cluster_standard_error": es.cluster_standard_error,
    "intraclass_correlation": es.intraclass_correlation,
    "mean_interval": es.mean_interval,
    "wilson_cluster_interval": es.wilson_cluster_interval,
    "cluster_mean_interval": es.cluster_mean_interval,
    "bootstrap_mean": lambda scores, groups: es.bootstrap_mean(scores, groups, n_boot=200),
    "bca_mean": lambda scores, groups: es.bca_mean(scores, groups, n_boot=200),
    "bootstrap_paired_diff": lambda scores, groups: es.bootstrap_paired_diff(scores, B, groups, n_boot=200),
    "bca_paired_diff": lambda scores, groups: es.bca_paired_diff(scores, B, groups, n_boot=200),
    "shrunken_winner": lambda scores, groups: es.shrunken_winner({"scores": scores, "z": B}, groups),
    "simultaneous_differences": lambda scores, groups: es.simultaneous_differences({"scores": scores, "z": B}, groups),
    "bootstrap_kappa": lambda scores, groups: es.bootstrap_kappa(scores, B, groups=groups, n_boot=200),
    "noninferiority_test": lambda scores, groups: es.noninferiority_test(scores, B, margin=0.1, groups=groups),
}
STRATIFIED = {
    "compare_paired": lambda scores, strata: es.compare_paired(scores, B, strata=strata),
    "paired_cluster_t": lambda scores, strata: es.paired_cluster_t(scores, B, GROUPS, strata),
    "mean_interval": lambda scores, strata: es.mean_interval(scores, strata=strata),
    "weighted_mean_interval": lambda scores, strata: es.weighted_mean_interval(scores, strata, {0: 1, 1: 2}),
    "equivalence_test": lambda scores, strata: es.equivalence_test(scores, B, margin=0.1, strata=strata),
}
TAKES_LABELS = [("groups", GROUPS, call) for call in CLUSTERED.values()] + [
    ("strata", STRATA, call) for call in STRATIFIED.values()
]


@pytest.mark.parametrize("call", PAIRED.values(), ids=PAIRED)
def test_two_series_with_different_labels_are_refused(call):
    a, b = pd.Series(A, index=ITEMS), pd.Series(B, index=ITEMS)
    assert call(a, b) == call(A, B)
    with pytest.raises(ValueError, match="a and b are labelled differently; match them with align first"):
        call(a, b.iloc[::-1])
    with pytest.raises(ValueError, match="match two logs with align first"):
        call(a.to_dict(), b.to_dict())


@pytest.mark.parametrize(("owner", "labels", "call"), TAKES_LABELS)
def test_labels_are_one_a_row_in_the_order_of_the_rows(owner, labels, call):
    by_item = dict(zip(ITEMS, labels, strict=True))
    for wrong in (by_item, set(ITEMS), frozenset(ITEMS), "x" * 48, b"x" * 48):
        kind = type(wrong).__name__
        with pytest.raises(
            ValueError, match=f"{owner} must be one label per row, in the order of the rows, got a {kind}"
        ):
            call(A, wrong)
    scores, named = pd.Series(A, index=ITEMS), pd.Series(labels, index=ITEMS)
    assert call(scores, named) == call(A, labels) == call(np.array(A), named) == call(A, iter(labels))
    with pytest.raises(ValueError, match=rf"(a|scores|scores\['scores'\]) and {owner} are labelled differently"):
        call(scores, named.iloc[::-1])


ALPHAS = {
    "compare_paired": lambda alpha: es.compare_paired(A, B, alpha=alpha),
    "bonferroni": lambda alpha: es.bonferroni([0.01], alpha),
    "holm": lambda alpha: es.holm([0.01], alpha),
    "benjamini_hochberg": lambda alpha: es.benjamini_hochberg([0.01], alpha),
    "benjamini_yekutieli": lambda alpha: es.benjamini_yekutieli([0.01], alpha),
    "max_t_asymptotic": lambda alpha: es.max_t_asymptotic({"x": A}, B, alpha=alpha),
    "required_n_mcnemar": lambda alpha: es.required_n_mcnemar(0.02, 0.07, alpha=alpha),
    "required_n_paired_mean": lambda alpha: es.required_n_paired_mean(0.02, 0.3, alpha=alpha),
    "power_mcnemar_exact": lambda alpha: es.power_mcnemar_exact(100, 0.02, 0.07, alpha=alpha),
    "required_n_noninferiority": lambda alpha: es.required_n_noninferiority(0.02, 0.07, alpha=alpha),
    "noninferiority_test": lambda alpha: es.noninferiority_test(A, B, margin=0.1, alpha=alpha),
    "equivalence_test": lambda alpha: es.equivalence_test(A, B, margin=0.1, alpha=alpha),
    "gate": lambda alpha: es.gate(100, 0.8, 0.1, alpha),
}
LEVELS = {
    "wilson_interval": lambda level: es.wilson_interval(17, 20, level),
    "clopper_pearson_interval": lambda level: es.clopper_pearson_interval(17, 20, level),
    "tango_interval": lambda level: es.tango_interval(A, B, level=level),
    "mean_interval": lambda level: es.mean_interval(A, GROUPS, level=level),
    "paired_cluster_interval": lambda level: es.paired_cluster_interval(A, B, GROUPS, level=level),
    "bootstrap_mean": lambda level: es.bootstrap_mean(A, level=level),
}


@pytest.mark.parametrize("call", ALPHAS.values(), ids=ALPHAS)
def test_a_confidence_is_no_alpha(call):
    with pytest.raises(ValueError, match=r"^(alpha|q) is the .*such as 0\.05, got 0\.95; did you mean 0\.05\?$"):
        call(0.95)


@pytest.mark.parametrize("call", LEVELS.values(), ids=LEVELS)
def test_an_alpha_is_no_confidence(call):
    with pytest.raises(ValueError, match=r"^level is the confidence, such as 0\.95, got 0\.05; did you mean 0\.95\?$"):
        call(0.05)


MANY = {
    "simultaneous_differences": lambda scores, groups: es.simultaneous_differences(scores),
    "shrunken_winner": lambda scores, groups: es.shrunken_winner(scores),
    "max_t_asymptotic": lambda scores, groups: es.max_t_asymptotic(scores, B, n_boot=1000),
    "baseline": lambda scores, groups: es.max_t_asymptotic({"x": scores["x"]}, scores["y"], n_boot=1000),
    "groups": lambda scores, groups: es.max_t_asymptotic({"x": A}, scores["x"], groups, n_boot=1000),
}


@pytest.mark.parametrize("call", MANY.values(), ids=MANY)
def test_systems_with_different_labels_are_refused(call):
    scores = {"x": pd.Series(A, index=ITEMS), "y": pd.Series(B, index=ITEMS)}
    call(scores, pd.Series(GROUPS, index=ITEMS))
    with pytest.raises(ValueError, match=r"are labelled differently; bring .* into the order of .* first"):
        call(scores | {"y": scores["y"].iloc[::-1]}, pd.Series(GROUPS, index=ITEMS[::-1]))


def test_raters_with_different_labels_are_refused():
    a, b = pd.Series(A, index=ITEMS), pd.Series(B, index=ITEMS)
    assert es.cohen_kappa(a, b) == es.cohen_kappa(A, B)
    with pytest.raises(ValueError, match="a and b are labelled differently"):
        es.cohen_kappa(a, b.iloc[::-1])
    with pytest.raises(ValueError, match="got a dict; match two logs with align first"):
        es.cohen_kappa(a.to_dict(), b.to_dict())


def test_an_alignment_is_compared_as_it_is():
    matched = es.align(dict(zip(ITEMS, A, strict=True)), dict(zip(reversed(ITEMS), reversed(B), strict=True)))
    assert es.compare_paired(matched) == es.compare_paired(A, B)
    assert es.compare_paired(matched, groups=GROUPS, alpha=0.1) == es.compare_paired(A, B, groups=GROUPS, alpha=0.1)
    with pytest.raises(ValueError, match="give one PairedTable, one Alignment or two vectors, got an Alignment and b"):
        es.compare_paired(matched, B)
    for call in (es.mcnemar_exact, es.tango_interval, es.newcombe_interval, es.ideal_bootstrap_paired_diff):
        assert call(matched) == call(A, B)
    assert es.noninferiority_test(matched, margin=0.1) == es.noninferiority_test(A, B, margin=0.1)


def test_the_clusters_of_an_alignment_are_heeded():
    """A clear win on items that are near copies of one another is none; tests that take no clusters say so."""
    copies = np.arange(300) // 50
    a, b = np.where(copies < 4, 1.0, 0.0), np.where(copies < 2, 1.0, 0.0) * (np.arange(300) % 25 > 0)
    kinds = copies % 2
    clustered = es.Alignment(tuple(range(300)), a, b, clusters=tuple(copies.tolist()))
    stratified = replace(clustered, strata=tuple(kinds.tolist()))
    assert es.compare_paired(a, b).verdict == "A better"
    assert es.compare_paired(clustered) == es.compare_paired(a, b, groups=copies)
    assert es.compare_paired(clustered).verdict == "inconclusive"
    assert es.compare_paired(stratified) == es.compare_paired(a, b, groups=copies, strata=kinds)
    assert es.compare_paired(clustered, groups=range(300)).n_clusters is None
    margin = {"margin": 0.1}
    assert es.noninferiority_test(clustered, **margin) == es.noninferiority_test(a, b, groups=copies, **margin)
    for call in (es.mcnemar_exact, es.tango_interval, es.wald_difference_interval):
        with pytest.raises(
            ValueError, match="come in clusters or strata, which would be ignored here: use compare_paired"
        ):
            call(clustered)


@pytest.mark.parametrize("mark", ["C", "1", "yes"])
@pytest.mark.parametrize("call", PAIRED.values(), ids=PAIRED)
def test_marks_are_numbers(call, mark):
    with pytest.raises(ValueError, match=f"got '{mark}' at position 47; write 1 for right and 0 for wrong"):
        call([*A[:-1], mark], B)


@pytest.mark.parametrize("score", [0.5, 100])
@pytest.mark.parametrize("call", [es.compare_paired, es.mcnemar, es.mcnemar_exact, es.tango_interval])
def test_other_scores_are_sent_to_their_test(call, score):
    with pytest.raises(ValueError, match=f"got {score} at position 47; for other scores use paired_t"):
        call([*A[:-1], score], B)


def test_one_item_is_one_item():
    assert "items     1 item\n" in str(es.compare_paired([1], [0]))


def test_the_recipe_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    """Two logs of JSON, as the README describes them, all the way to the verdict."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    recipe = next(block for block in blocks if "json.loads" in block)
    names = [f"template {row // 2}/{row % 2}" for row in range(48)]
    for file, marks in (("a.json", A), ("b.json", B)):
        (tmp_path / file).write_text(json.dumps(dict(zip(names, marks, strict=True))), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(recipe, {})  # the README's own code, and nothing else
    printed = capsys.readouterr().out
    assert "48 items matched by id\nnothing left over" in printed
    assert "48 items in 24 clusters" in printed
