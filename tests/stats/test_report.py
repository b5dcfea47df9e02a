"""evalstats.report: every format says everything, and no text can break out of it."""

from __future__ import annotations

import html.parser
import json
import math
import re
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalstats as es
from evalstats.report import to_html, to_json, to_latex, to_markdown

A = [1] * 81 + [1] * 9 + [0] * 2 + [0] * 8
B = [1] * 81 + [0] * 9 + [1] * 2 + [0] * 8
COMPARISON = es.compare_paired(A, B, groups=[i // 4 for i in range(100)])
RESULTS = {
    "estimate": es.bootstrap_mean(A, n_boot=500, seed=7),
    "clustered": es.mean_interval(A, [i // 10 for i in range(100)]),
    "test": es.mcnemar_exact(A, B),
    "comparison": COMPARISON,
    "verdict": es.verdict(COMPARISON, 0.01),
    "gate": es.gate(49, 0.85, drop=0.10),
    "size": es.required_n_mcnemar(0.1, 0.25),
    "power": es.power_mcnemar_exact(194, 0.1, 0.25),
    "design": es.cheapest_design(0.02, {"item": 0.092, "decode": 0.146}, cost_item=20),
    "quantity": es.standard_error(8, 10),
    "one-sided": es.Estimate("x", 1.0, -math.inf, 2.0, 0.95, "m", 5),
    "warned": es.Estimate("x", 0.2, 0.0, 0.4, 0.95, "m", 5, warning="few clusters", extra={"why": None, "k": [1, 2]}),
}


def cells(text: str) -> list[dict[str, str]]:
    """The rows of a table in Markdown."""
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines()]
    return [
        dict(zip([one.strip() for one in lines[0]], [one.strip() for one in row], strict=True)) for row in lines[2:]
    ]


def numbers(values: object) -> set[str]:
    """Every number in plain data, in four digits."""
    if isinstance(values, dict):
        return set().union(*map(numbers, values.values()), set())
    if isinstance(values, list):
        return set().union(*map(numbers, values), set())
    return {f"{values:.4g}"} if isinstance(values, (int, float)) and not isinstance(values, bool) else set()


def test_a_row_says_what_was_estimated_and_how():
    row = cells(to_markdown(RESULTS["estimate"]))[0]
    low, high = RESULTS["estimate"].ci_low, RESULTS["estimate"].ci_high
    assert row["interval"] == f"{low:.2f} to {high:.2f} (95%)"
    assert (row["what"], row["n"], row["replicates"], row["seed"]) == ("accuracy", "100", "500", "7")
    assert row["method"] == "bootstrap_percentile"
    row = cells(to_markdown(RESULTS["comparison"]))[0]
    assert (row["decision"], row["clusters"], row["estimate"]) == (COMPARISON.verdict, "25", "0.07")
    assert row["method"] == COMPARISON.method == COMPARISON.interval
    assert cells(to_markdown(es.compare_paired(A, B)))[0]["method"] == "mcnemar_exact, interval tango"
    assert "table.a_only = 9" in row["further"]


@pytest.mark.parametrize("name", RESULTS)
def test_nothing_is_dropped(name):
    """Every number and every word of the result stands in its row (rounded), and unrounded in JSON."""
    result = RESULTS[name]
    row = " ".join(cells(to_markdown(result))[0].values()).replace("\\", "")
    shown = {f"{float(one):.4g}" for one in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", row)}
    plain = result.to_dict()
    for key in ("ci_low", "ci_high", "level", "point", "effect", "pvalue"):  # have rules of their own
        plain.pop(key, None)
        plain.get("extra", {}).get("interval", {}).pop(key, None) if name == "verdict" else None
    assert numbers(plain) - shown == set()
    kind, values = json.loads(to_json(result))[0].pop("kind"), json.loads(to_json(result))[0]
    del values["kind"]
    assert getattr(es, kind) is type(result)
    assert type(result).from_dict(values) == result


def test_words_are_not_dropped():
    row = cells(to_markdown(RESULTS["warned"]))[0]
    assert row["notes"] == "warning: few clusters"
    assert row["further"] == r"why = null; k = \[1, 2\]"
    assert cells(to_markdown(RESULTS["one-sided"]))[0]["interval"] == "-Infinity to 2 (95%)"
    verdict = cells(to_markdown(RESULTS["verdict"]))[0]
    assert verdict["decision"] == RESULTS["verdict"].decision
    assert "verdict = " in verdict["further"]
    assert verdict["p"] == f"{COMPARISON.pvalue:.3g}"


@pytest.mark.parametrize(
    ("point", "low", "high", "shown"),
    [
        (0.123456, 0.1, 0.2, "0.12: 0.10 to 0.20"),
        (0.02, 0.003699, 0.03712, "0.020: 0.004 to 0.037"),
        (0.02, 0.0004, 0.0371, "0.0200: 0.0004 to 0.0371"),
        (1234.5, 1200.0, 1300.0, "1234: 1200 to 1300"),
        (0.5, 0.5, 0.5, "0.5: 0.5 to 0.5"),
        (0.9, 0.83333, 1.0, "0.90: 0.83 to 1.00"),
    ],
)
def test_numbers_have_the_precision_of_the_interval(point, low, high, shown):
    row = cells(to_markdown(es.Estimate("x", point, low, high, 0.95, "m", 9)))[0]
    assert f"{row['estimate']}: {row['interval']}" == f"{shown} (95%)"


@given(st.floats(-10, 10), st.floats(1e-9, 10))
@settings(max_examples=200, deadline=None)
def test_rounding_never_moves_an_interval_onto_0(low, width):
    high = low + width
    interval = cells(to_markdown(es.Estimate("x", low, low, high, 0.95, "m", 9)))[0]["interval"]
    ends = [float(one) for one in interval.removesuffix(" (95%)").split(" to ")]
    for end, true in zip(ends, (low, high), strict=True):
        assert (end == 0) == (true == 0 or abs(true) < 5e-16)
        assert end == pytest.approx(true, abs=width / 10)


# Text that means harm

EVIL = "</td><script>alert('x')</script>|\n\\ & % $ # _ { } ~ ^ `code` [a](javascript:b) *b* &lt;"


class Texts(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def evil() -> es.Estimate:
    return es.Estimate(EVIL, 0.5, 0.4, 0.6, 0.95, EVIL, 9, extra={EVIL: EVIL}, warning=EVIL)


def test_html_is_escaped():
    page = Texts()
    page.feed(to_html([evil(), COMPARISON]))
    assert set(page.tags) == {"table", "thead", "tbody", "tr", "th", "td"}
    assert page.texts.count(" ".join(EVIL.split())) == 2
    assert page.tags.count("tr") == 3


def test_latex_is_escaped():
    head, row = to_latex(evil()).splitlines()
    assert head.count(" & ") == row.count(" & ")
    assert len(re.findall(r"(?<!\\)(?:\\\\)*&", row)) == row.count(" & ")
    assert not re.findall(r"(?<!\\)[%$#_]", row)
    assert r"\textbackslash{}" in row
    assert r"\_" in to_latex(COMPARISON)
    assert "paired_" not in to_latex(COMPARISON)


def test_markdown_is_escaped():
    lines = to_markdown(evil()).splitlines()
    assert len(lines) == 3
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
    assert "<script" not in re.sub(r"\\<", "", lines[2])
    assert r"\[a\](javascript:b)" in lines[2]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("see https://a.example/b", "see https:&#8203;//a.example/b"),
        ("HTTP://a.example", "HTTP:&#8203;//a.example"),
        ("www.a.example", "www&#8203;.a.example"),
        ("@user", "@&#8203;user"),
        ("to @user-1, @user2", "to @&#8203;user-1, @&#8203;user2"),
        ("(@user)", "(@&#8203;user)"),
        ("me@a.example", "me@&#8203;a.example"),
        ("pass@8", "pass@8"),
        ("a: b // c", "a: b // c"),
    ],
)
def test_markdown_makes_no_links_and_no_mentions(name, shown):
    """&#8203; is a space of no width."""
    assert cells(to_markdown(es.wilson_interval(17, 20, name=name)))[0]["what"] == shown


HIDDEN = "a\x1b[31mb\x07c\x9bd\x7fe\u202ef\u200bg\u2066h\ue000i\U000e0041j\ud800"


@pytest.mark.parametrize("write", [to_markdown, to_html, to_latex, to_json])
def test_nothing_steers_a_terminal_or_hides(write):
    found = es.Estimate(HIDDEN, 0.5, 0.4, 0.6, 0.95, HIDDEN, 9, extra={HIDDEN: HIDDEN}, warning=HIDDEN)
    assert write(found).replace("\n", "").isprintable()


def test_what_is_not_seen_is_spelt_out_and_in_json_survives():
    found = es.Estimate(HIDDEN, 0.5, 0.4, 0.6, 0.95, "m", 9)
    assert cells(to_markdown(found))[0]["what"].replace("\\\\", "\\").startswith(r"a\x1b\[31mb\x07c\x9bd\x7fe\u202ef")
    assert json.loads(to_json(found))[0]["name"] == HIDDEN
    seen = es.wilson_interval(17, 20, name="Genauigkeit f\u00fcr \u6570\u5b66")
    assert "Genauigkeit f\u00fcr \u6570\u5b66" in to_json(seen)


def test_an_extra_fact_hides_no_field():
    """A field without a column of its own, and a fact of the same name."""
    comparison = es.PairedComparison.from_dict(COMPARISON.to_dict() | {"extra": {"alpha": 0.3, "b": 9}})
    further = cells(to_markdown(comparison))[0]["further"].split("; ")
    assert {"alpha = 0.05", "extra.alpha = 0.3", "b = 9"} <= set(further)


@pytest.mark.parametrize(("fact", "shown"), [("as a text", "notes = as a text"), (3, "notes = 3")])
def test_notes_may_be_any_fact(fact, shown):
    found = es.Estimate("x", 0.5, 0.4, 0.6, 0.95, "m", 9, extra={"notes": fact})
    assert cells(to_markdown(found))[0]["further"] == shown


def test_several_results_share_a_table():
    rows = cells(to_markdown(RESULTS.values()))
    assert len(rows) == len(RESULTS)
    assert list(rows[0]) == [
        *("what", "decision", "estimate", "interval", "p", "method", "n", "clusters", "replicates", "seed"),
        *("notes", "further"),
    ]
    assert rows[0]["p"] == ""
    assert [one["kind"] for one in json.loads(to_json(list(RESULTS.values())))][3:5] == ["PairedComparison", "Decision"]


@pytest.mark.parametrize("write", [to_markdown, to_html, to_latex, to_json])
@pytest.mark.parametrize("nothing", [[], None, "text", 3, [COMPARISON, None]])
def test_what_is_no_result_is_refused(write, nothing):
    with pytest.raises(ValueError, match="results must be a result or a list of at least 1, got"):
        write(nothing)


def test_every_field_of_an_estimate_has_a_place():
    """A field that is added one day cannot be forgotten: it stands under "further" by itself."""
    values = dict(name="x", point=0.5, ci_low=0.4, ci_high=0.6, level=0.9, method="m", n=9, n_boot=11, seed=3)
    full = es.Estimate(**values, extra={"k": 17}, n_clusters=5, warning="w")
    text = to_markdown(full)
    assert {each.name for each in fields(full)} == {*values, "extra", "n_clusters", "warning"}
    assert cells(text)[0].items() >= {"clusters": "5", "seed": "3", "replicates": "11", "further": "k = 17"}.items()


# Results of several parts, and results by name

SCORES = {"A": [1] * 90 + [0] * 10, "B": [1] * 50 + [0] * 50, "C": [0] * 60 + [1] * 40}


def test_a_leaderboard_has_a_row_for_each_system():
    board = es.rank_intervals(SCORES, name="July")
    rows = cells(to_markdown([board, es.wilson_interval(1, 2)]))
    assert [row["what"] for row in rows] == ["July: A", "July: B", "July: C", "accuracy"]
    assert [row["estimate"] for row in rows] == ["0.9", "0.5", "0.4", "0.50"]
    assert [row["ranks"] for row in rows[:2]] == ["1 (95%, all at once)", "2 to 3 (95%, all at once)"]
    assert rows[1]["further"] == "tied_with = C"
    assert "critical" in rows[0]["further"]
    assert {row["method"] for row in rows[:3]} == {"simultaneous_t"}
    assert "[" not in "".join(row["further"] for row in rows)
    assert len(json.loads(to_json(board))) == 1


def test_a_correction_has_a_row_for_each_test():
    rows = cells(to_markdown(es.holm([0.001, 0.04])))
    assert [(row["what"], row["decision"], row["p"], row["adjusted p"]) for row in rows] == [
        ("tests: 1", "rejected", "0.001", "0.002"),
        ("tests: 2", "rejected", "0.04", "0.04"),
    ]
    rows = cells(to_markdown(es.holm({"maths": 0.001, "code": es.mcnemar_exact(A, B)}, name="July")))
    assert [row["what"] for row in rows] == ["July: maths", "July: code"]
    rows = cells(to_markdown({"all pairs": es.pairwise_mcnemar_exact(SCORES)}))
    assert [row["what"] for row in rows] == ["all pairs: A - B", "all pairs: A - C", "all pairs: B - C"]
    assert [row["decision"] for row in rows] == ["rejected", "rejected", "not rejected"]
    rows = cells(to_markdown(es.max_t_asymptotic({"new": SCORES["A"], "newer": SCORES["B"]}, SCORES["C"])))
    assert [row["what"] for row in rows] == ["tests: new", "tests: newer"]


def test_variance_components_have_a_row_for_each_source():
    parts = es.item_decode_components([[1, 1], [1, 0], [0, 0], [1, 1]])
    rows = cells(to_markdown(parts))
    assert [row["what"] for row in rows] == ["mean", "variance of item", "variance of decode"]
    assert rows[2]["estimate"] == "0.12"
    assert all("(95%)" in row["interval"] for row in rows)


def test_a_quantity_is_called_by_its_question():
    named = {
        "standard error": es.standard_error(8, 10),
        "intraclass correlation": es.intraclass_correlation([1, 1, 0, 0, 1, 0], [1, 1, 2, 2, 3, 3]),
        "effective n": es.effective_n([1, 1, 0, 0, 1, 0], [1, 1, 2, 2, 3, 3]),
        "flip probability": es.flip_probability_separate(0.86, 0.85, 500),
        "standard error of a design": es.design_standard_error({"item": 0.2}, n_items=9),
        "cheapest design": es.cheapest_design(0.02, {"item": 0.092}),
    }
    assert [row["what"] for row in cells(to_markdown(named.values()))] == list(named)


def test_a_mapping_names_its_rows():
    both = {"old": es.wilson_interval(8, 10), "new": es.standard_error(9, 10)}
    assert [row["what"] for row in cells(to_markdown(both))] == ["old", "new"]
    assert list(json.loads(to_json(both))) == ["old", "new"]
    differences = es.simultaneous_differences(SCORES)
    assert [row["what"] for row in cells(to_markdown(differences))] == ["A - B", "A - C", "B - C"]
    assert [row["name"] for row in json.loads(to_json(differences))] == ["A - B", "A - C", "B - C"]


def test_mlflow_has_a_metric_for_each_system_and_each_number():
    board = es.rank_intervals(SCORES, name="July").as_mlflow()
    assert board["metrics"].items() >= {"July.A.point": 0.9, "July.C.rank_low": 2, "July.C.rank_high": 3}.items()
    assert json.loads(board["params"]["July.systems"]) == ["A", "B", "C"]
    error = es.cluster_standard_error([1, 1, 0, 0, 1, 0], [1, 1, 2, 2, 3, 3])
    split = error.as_mlflow()
    assert split["metrics"]["cluster_cr2.value"] == float(error)
    assert split["metrics"]["cluster_cr2.extra.df"] == error.extra["df"]
    assert split["params"]["cluster_cr2.n_clusters"] == 3
    assert error.as_mlflow("mine")["params"]["mine.method"] == "cluster_cr2"
    assert es.required_n_mcnemar(0.1, 0.25).as_mlflow()["metrics"] == {"required_n_mcnemar_uncorrected.n": 194}


def test_a_decision_hides_no_fact_of_its_interval():
    """Both have a margin: that of the test is a size."""
    test = es.noninferiority_test(A, B, margin=0.04)
    row = cells(to_markdown(es.verdict(test, -0.03)))[0]
    assert "margin = -0.03" in row["further"].split("; ")
    assert "interval.margin = 0.04" in row["further"].split("; ")


@pytest.mark.parametrize(("level", "shown"), [(0.95, "95%"), (0.9999999, "99.99999%"), (1 - 1e-9, "99.9999999%")])
def test_no_level_below_1_is_written_100_percent(level, shown):
    assert f"({shown})" in cells(to_markdown(es.wilson_interval(17, 20, level=level)))[0]["interval"]
