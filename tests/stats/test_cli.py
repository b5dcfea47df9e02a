"""`python -m evalstats` as others meet it: files in, a report and an exit code out, errors in one line."""

from __future__ import annotations

import html.parser
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import evalstats as es
from evalstats.__main__ import main
from evalstats.io import align, read_log

ROOT = Path(__file__).parents[2]
LOGS = ROOT / "tests" / "reference" / "logs"
A, B = str(LOGS / "sums_a.eval"), str(LOGS / "sums_b.eval")
SAMPLES = [str(LOGS / f"model-{one}" / "samples_sums_2026-11-30T12-00-00.000000.jsonl") for one in "ab"]


def run(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "evalstats", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def call(capsys):
    """The command in this process: exit code, what it printed, what it complained about."""

    def called(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = stop.code
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return called


def table(tmp_path: Path, name: str, scores: dict[str, object], **columns: str) -> str:
    """A CSV file of items and scores."""
    head = ",".join(["item", "correct", *columns])
    lines = [",".join([item, str(score), *columns.values()]) for item, score in scores.items()]
    (tmp_path / name).write_text("\n".join([head, *lines]) + "\n")
    return str(tmp_path / name)


# Real runs of the program


def test_the_readme_shows_commands_that_run(tmp_path):
    """Each line of the paragraph, with the exit code that its comment tells."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## The command line")[1].split("\n## ")[0]
    block = section.split("```")[1].strip().splitlines()
    shutil.copy(A, tmp_path / "new.eval")
    shutil.copy(B, tmp_path / "old.eval")
    rows = [f"q{i},{int(i % 10 < right)},{name}" for name, right in (("new", 9), ("old", 8)) for i in range(200)]
    (tmp_path / "runs.csv").write_text("\n".join(["item,correct,model", *rows]))
    assert len(block) >= 5
    for line in block:
        command, _, comment = line.partition("#")
        words = shlex.split(command)
        assert words[:3] == ["python", "-m", "evalstats"]
        outcome = run(*words[3:], folder=tmp_path)
        assert outcome.stdout.startswith("| what |"), outcome.stderr
        assert f"exit code {outcome.returncode}" in comment, line


def test_the_program_prints_one_line_on_bad_input(tmp_path):
    outcome = run("compare", "none.csv", "none.csv")
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert outcome.stderr == "python -m evalstats: [Errno 2] No such file or directory: 'none.csv'\n"
    outcome = run("gate", "--n", "400")
    assert (outcome.returncode, len(outcome.stderr.splitlines())) == (2, 1)


def test_help_names_the_exit_codes():
    for command in ([], ["compare"], ["accuracy"], ["power"], ["gate"]):
        outcome = run(*command, "--help")
        assert outcome.returncode == 0
        words = " ".join(outcome.stdout.split())
        assert (
            "0 ship, or nothing to decide; 1 don't ship, or a regression; 2 bad use or input; 3 inconclusive" in words
        )


# What it says is what the library says


def test_compare_says_what_the_library_says(call):
    code, printed, _ = call("compare", A, B, "--metric", "match", "--cluster", "template", "--format", "json")
    both = align(*(read_log(path, metric="match", cluster="template") for path in (A, B)))
    own = es.verdict(es.paired_cluster_t(both.a, both.b, both.clusters))
    said = json.loads(printed)[0]
    assert (said["kind"], said["decision"], code) == ("Decision", own.decision, 3)
    assert {key: said["extra"]["interval"][key] for key in ("ci_low", "ci_high", "pvalue", "n", "n_clusters")} == {
        key: own.extra["interval"][key] for key in ("ci_low", "ci_high", "pvalue", "n", "n_clusters")
    }
    assert "A: mean of 3 answers an item" in said["caveat"]


def test_without_clusters_the_means_of_items_are_compared_by_t(call):
    code, printed, _ = call("compare", A, B, "--metric", "match", "--format", "json")
    both = align(*(read_log(path, metric="match") for path in (A, B)))
    assert json.loads(printed)[0]["extra"]["interval"]["pvalue"] == pytest.approx(es.paired_t(both.a, both.b).pvalue)
    assert code == 0


def test_right_or_wrong_is_compared_by_mcnemar(call):
    code, printed, _ = call("compare", *SAMPLES, "--filter-name", "digits", "--format", "json", "--level", "0.9")
    both = align(*(read_log(path, filter_name="digits") for path in SAMPLES))
    said = json.loads(printed)[0]
    assert said.pop("kind") == "PairedComparison"
    assert es.PairedComparison.from_dict(said) == es.compare_paired(both, alpha=0.1)
    assert code == 0
    assert call("compare", *SAMPLES[::-1], "--filter-name", "digits")[0] == 1


def test_accuracy_says_what_the_library_says(call):
    code, printed, _ = call("accuracy", A, B, "--metric", "match", "--stratum", "kind", "--format", "json")
    log = read_log(A, metric="match", stratum="kind")
    own = es.mean_interval(
        list(log.means().values()), None, log.by_item("strata").values(), name="match of mockllm/model"
    )
    first, second = json.loads(printed)
    assert (first["point"], first["ci_low"], first["method"]) == (own.point, own.ci_low, own.method)
    assert second["point"] < first["point"]
    assert code == 0


def test_power_says_194_and_207(call):
    _, printed, _ = call("power", "--delta", "0.1", "--psi", "0.25", "--format", "json")
    assert [(one["test"], one["n"]) for one in json.loads(printed)][::2] == [
        ("mcnemar_uncorrected", 194),
        ("mcnemar_exact", 207),
    ]
    _, printed, _ = call(
        "power", "--delta", "0.1", "--psi", "0.25", "--n", "194", "--alpha", "0.01", "--format", "json"
    )
    assert json.loads(printed)[2]["power"] == es.power_mcnemar_exact(194, 0.1, 0.25, 0.01).power


def test_gate_decides_by_counts(call):
    gate = ("gate", "--n", "400", "--accuracy", "0.85", "--drop", "0.05", "--flip-rate", "0.05")
    at = es.gate(400, 0.85, 0.05, flip_rate=0.05).extra["items"]
    assert call(*gate)[0] == 0
    assert call(*gate, "--right", "340", str(340 - at + 1))[0] == 0
    code, printed, _ = call(*gate, "--right", "340", str(340 - at))
    assert (code, f"the build fails: 340 right before, {340 - at} after" in printed) == (1, True)


# Exit codes


def test_every_decision_has_its_exit_code(tmp_path, call):
    """Ship, don't ship, inconclusive: by the test without a margin, by the interval with one."""
    good = table(tmp_path, "good.csv", {f"q{i}": int(i < 95) for i in range(100)})
    poor = table(tmp_path, "poor.csv", {f"q{i}": int(i < 70) for i in range(100)})
    assert call("compare", good, poor)[0] == 0
    assert call("compare", poor, good)[0] == 1
    assert call("compare", good, good)[0] == 3
    assert call("compare", good, good, "--margin", "-0.05")[0] == 0
    assert call("compare", poor, good, "--margin", "-0.05")[0] == 1
    assert call("compare", good, poor, "--margin", "0.2")[0] == 3


def test_the_test_governs_without_a_margin_and_the_interval_with_one(tmp_path, call):
    """Flips 4 to 0 of 40: p = .125, and yet Tango's interval excludes 0."""
    first = table(tmp_path, "a.csv", {f"q{i}": int(i < 24) for i in range(40)})
    second = table(tmp_path, "b.csv", {f"q{i}": int(i < 20) for i in range(40)})
    assert call("compare", first, second)[0] == 3
    assert call("compare", first, second, "--margin", "0")[0] == 0


def test_equal_graded_scores_are_inconclusive(tmp_path, call):
    path = table(tmp_path, "a.csv", {f"q{i}": 0.5 for i in range(10)})
    assert call("compare", path, path)[0] == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["compare", A], "the following arguments are required: B"),
        (["compare", A, B], "name one scorer as metric of match, graded"),
        (["compare", A, B, "--metric", "match", "--level", "1.5"], "level must lie strictly between 0 and 1, got 1.5"),
        (["compare", A, B, "--metric", "match", "--margin", "nan"], "margin must be a finite number, got nan"),
        (["compare", A, B, "--metric", "match", "--margin", "a lot"], "invalid float value: 'a lot'"),
        (["compare", A, B, "--metric", "match", "--item", "id"], "read_inspect, which has no 'item'"),
        (["compare", A, f"{B}::x", "--metric", "match"], "read_inspect, which has no 'only'"),
        (["compare", A, SAMPLES[0], "--metric", "match"], "name one filter_name of first, digits"),
        (["compare", *SAMPLES, "--filter-name", "digits", "--level", "0.3"], "level is the confidence, such as 0.95"),
        (["accuracy", str(ROOT)], "must be a file"),
        (["accuracy", "runs.csv"], "No such file"),
        (["accuracy", str(LOGS / "sums_failed.json"), "--metric", "match"], "3 of 36 answers have no score"),
        (["power", "--delta", "0.3", "--psi", "0.25"], "psi"),
        (["power", "--delta", "0", "--psi", "0.25"], "delta"),
        (["power", "--delta", "0.1", "--psi", "1.5"], "psi"),
        (["power", "--delta", "0.1", "--psi", "0.25", "--n", "9", "--power", "0.8"], "give n or power"),
        (["gate", "--n", "0", "--accuracy", "0.85", "--drop", "0.05"], "n must be an integer of at least 1, got 0"),
        (
            ["gate", "--n", "9", "--accuracy", "0.8", "--drop", "0.5", "--right", "10", "3"],
            r"right answers must lie in [0, 9], got 10 and 3",
        ),
    ],
)
def test_bad_use_is_one_line_and_exit_code_2(call, arguments, says):
    code, printed, complaint = call(*arguments)
    assert (code, printed, len(complaint.splitlines())) == (2, "", 1)
    assert says in complaint


def test_partial_overlap_is_refused_or_said(tmp_path, call):
    """Trap 10."""
    first = table(tmp_path, "a.csv", {f"q{i}": int(i % 3 > 0) for i in range(30)})
    second = table(tmp_path, "b.csv", {f"q{i}": int(i % 2 > 0) for i in range(20, 50)})
    code, _, complaint = call("compare", first, second)
    assert code == 2
    assert "20 only in A: q0, q1, q2, q3, q4, and 15 more; 20 only in B: q30" in complaint
    code, printed, _ = call("compare", first, second, "--common")
    assert code == 3
    assert "20 only in A: q0" in printed


def test_unscored_answers_are_said(call):
    path = str(LOGS / "sums_failed.json")
    for choice, words in (("leave out", "3 without a score left out"), ("wrong", "3 without a score counted as wrong")):
        code, printed, _ = call("accuracy", path, "--metric", "match", "--unscored", choice)
        assert (code, words in printed) == (0, True)


def test_a_table_of_two_systems(tmp_path, call):
    rows = [
        f"q{i},{run},{int(i < right)},{name}"
        for name, right in (("new", 40), ("old", 20))
        for i in range(50)
        for run in (1, 2)
    ]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(["id,run,right,model", *rows]))
    columns = ("--item", "id", "--metric", "right", "--epoch", "run", "--system", "model")
    assert call("compare", f"{path}::new", f"{path}::old", *columns)[0] == 0
    code, _, complaint = call("compare", str(path), f"{path}::old", *columns)
    assert (code, "name one system as only of new, old" in complaint) == (2, True)
    code, _, complaint = call("accuracy", f"{path}::new", "--metric", "right")
    assert (code, "only = 'new' needs system" in complaint) == (2, True)


class Tags(html.parser.HTMLParser):
    depth = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1


def test_formats(call):
    base = ("accuracy", A, "--metric", "match", "--format")
    page = Tags()
    page.feed(call(*base, "html")[1])
    assert page.depth == 0
    assert call(*base, "latex")[1].startswith("what & estimate & interval")
    assert call(*base, "md")[1].startswith("| what |")
    assert json.loads(call(*base, "json")[1])[0]["kind"] == "Estimate"
