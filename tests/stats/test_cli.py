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

import numpy as np
import pytest

import evalstats as es
from evalstats.__main__ import _mean_of, _parser, main
from evalstats.io import EvalLog, align, read_log

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
    for name, right in (("a.json", 30), ("b.json", 20)):
        (tmp_path / name).write_text(json.dumps({f"capital/{i}": int(i < right) for i in range(40)}))
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


def said(printed: str) -> dict:
    """The first result in JSON."""
    return json.loads(printed)[0]


def test_compare_says_what_the_library_says(call):
    code, printed, _ = call("compare", A, B, "--metric", "match", "--cluster", "template", "--format", "json")
    both = align(*(read_log(path, metric="match", cluster="template") for path in (A, B)))
    own = es.paired_cluster_t(both.a, both.b, both.clusters)
    answer = said(printed)
    assert (answer["kind"], answer["decision"], code) == ("Decision", "inconclusive", 3)
    keys = ("ci_low", "ci_high", "pvalue", "n", "n_clusters", "method")
    assert {key: answer["extra"]["interval"][key] for key in keys} == {key: getattr(own, key) for key in keys}
    assert answer["caveat"] == own.warning
    assert answer["extra"]["notes"] == [f"{log}: mean of 3 answers an item" for log in "AB"]


def test_without_clusters_the_means_of_items_are_compared_by_t(call):
    """And no clusters are claimed."""
    code, printed, _ = call("compare", A, B, "--metric", "match", "--format", "json")
    both = align(*(read_log(path, metric="match") for path in (A, B)))
    judged = said(printed)["extra"]["interval"]
    assert judged["pvalue"] == pytest.approx(es.paired_t(both.a, both.b).pvalue)
    assert (judged["method"], judged["n_clusters"], judged["extra"]["drawn"]) == ("paired_t", None, "items")
    assert code == 0


def test_right_or_wrong_is_compared_by_mcnemar(call):
    code, printed, _ = call("compare", *SAMPLES, "--filter-name", "digits", "--format", "json", "--alpha", "0.1")
    both = align(*(read_log(path, filter_name="digits") for path in SAMPLES))
    judged, own = said(printed)["extra"]["interval"], es.compare_paired(both)
    assert judged.pop("name") == "model-a - model-b"
    changed = {"alpha": 0.1, "note": judged["note"]}
    assert es.PairedComparison.from_dict({"name": own.name} | judged).to_dict() == own.to_dict() | changed
    assert said(printed)["extra"]["discordant_rate"] == own.extra["discordant_rate"]
    assert code == 0
    assert call("compare", *SAMPLES[::-1], "--filter-name", "digits")[0] == 1


def test_accuracy_says_what_the_library_says(call, tmp_path):
    code, printed, _ = call("accuracy", A, B, "--metric", "match", "--stratum", "kind", "--format", "json")
    log = read_log(A, metric="match", stratum="kind")
    own = es.wilson_cluster_interval(log.scores, log.items, log.strata)
    first, second = json.loads(printed)
    assert (first["point"], first["ci_low"], first["method"]) == (own.point, own.ci_low, own.method)
    assert (first["n"], first["n_clusters"], first["extra"]["answers"]) == (60, None, 180)
    assert first["extra"]["drawn"] == "items within fixed strata"
    assert second["point"] < first["point"]
    assert code == 0
    one = table(tmp_path, "one.csv", {f"q{i}": int(i > 2) for i in range(20)})
    answer = said(call("accuracy", one, "--format", "json")[1])
    assert (answer["ci_low"], answer["ci_high"]) == (
        es.wilson_interval(17, 20).ci_low,
        es.wilson_interval(17, 20).ci_high,
    )


@pytest.mark.parametrize("wrong", [{0: 1}, {0: 1, 1: 1}, {}])
def test_an_accuracy_of_several_answers_stays_below_1(tmp_path, call, wrong):
    """Near the ceiling: 30 items, 3 answers each, and very few wrong."""
    rows = [f"q{i},{run},{int(wrong.get(i, 0) <= run)}" for i in range(30) for run in range(3)]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(["item,run,correct", *rows]))
    answer = said(call("accuracy", str(path), "--epoch", "run", "--format", "json")[1])
    assert answer["point"] == pytest.approx(1 - sum(wrong.values()) / 90)
    assert 0 < answer["ci_low"] < answer["point"] <= answer["ci_high"] <= 1
    assert answer["warning"]
    assert "cluster" not in answer["warning"]


@pytest.mark.parametrize("single_answers", [True, False])
def test_an_accuracy_near_the_ceiling_covers_what_it_promises(single_answers):
    """100 items, 3 answers each, truth .973: t over the means of items covers less than .9."""
    rng, held = np.random.default_rng(3), 0
    for _ in range(500):
        marks = (rng.random((100, 3)) < rng.beta(3.6, 0.1, (100, 1))).astype(float)
        rows = marks.ravel() if single_answers else marks.mean(axis=1)
        answers = len(rows) // 100
        items, epochs = np.repeat(np.arange(100), answers).tolist(), list(range(answers)) * 100
        found = _mean_of(EvalLog("f", "s", "m", tuple(items), tuple(epochs), rows), 0.95, "accuracy")
        held += found.ci_low <= 3.6 / 3.7 <= found.ci_high
    assert held / 500 >= 0.93  # .95 less two Monte Carlo errors


def test_shares_are_bounded_and_warned_of(tmp_path, call):
    """A column of means of marks has no single answers to be read."""
    near = table(tmp_path, "near.csv", {f"q{i}": 2 / 3 if i < 2 else 1 for i in range(30)})
    answer = said(call("accuracy", near, "--format", "json")[1])
    assert answer["ci_high"] <= 1
    assert "this may cover too seldom" in answer["warning"]
    far = table(tmp_path, "far.csv", {f"q{i}": (i % 4) / 3 for i in range(80)})
    assert said(call("accuracy", far, "--format", "json")[1])["warning"] is None
    high = table(tmp_path, "high.csv", {f"q{i}": 9.9 if i % 2 else 10 for i in range(5)})
    assert said(call("accuracy", high, "--format", "json")[1])["ci_high"] > 9.9


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


def flips(tmp_path: Path, wins: int, n: int = 40) -> tuple[str, str]:
    """A is right where B is, and on some more items."""
    scores = {"a.csv": 20 + wins, "b.csv": 20}
    return tuple(table(tmp_path, name, {f"q{i}": int(i < k) for i in range(n)}) for name, k in scores.items())


def test_the_test_governs_at_a_margin_of_0(tmp_path, call):
    """Flips 4 to 0 of 40: p = .125, and yet Tango's interval excludes 0."""
    first, second = flips(tmp_path, 4)
    plain = call("compare", first, second)
    assert plain[0] == 3
    assert "test and interval disagree" in plain[1]
    assert call("compare", first, second, "--margin", "0") == plain
    assert call("compare", first, second, "--margin", "-0.1")[0] == 0
    assert "test and interval disagree" not in call("compare", first, second, "--margin", "-0.1")[1]


def test_no_margin_ships_what_the_test_does_not_show(tmp_path, call):
    """Better by more than a hair is better: 5 to 0 has p = .0625."""
    first, second = flips(tmp_path, 5)
    code, printed, _ = call("compare", first, second, "--margin", "0.001")
    assert (code, "lies above 0.001, but p = 0.0625" in printed) == (3, True)
    assert call("compare", first, second, "--margin", "0.001", "--alpha", "0.1")[0] == 0


def test_the_level_of_the_interval_is_not_that_of_the_test(tmp_path, call):
    """6 to 0 has p = .03125, whatever interval is shown."""
    first, second = flips(tmp_path, 6)
    for level in ("0.8", "0.95", "0.99"):
        code, printed, _ = call("compare", first, second, "--level", level, "--format", "json")
        judged = said(printed)["extra"]["interval"]
        own = es.tango_interval(es.PairedTable(20, 6, 0, 14), level=float(level))
        assert (code, judged["level"], judged["alpha"]) == (0, float(level), 0.05)
        assert judged["ci_low"] == pytest.approx(own.ci_low)
    assert call("compare", first, second, "--alpha", "0.03")[0] == 3


@pytest.mark.parametrize("graded", [False, True])
def test_an_interval_of_another_level_than_the_test_is_said(tmp_path, call, graded):
    """At a margin of 0, where "ship" may stand beside an interval that holds 0."""
    first, second = flips(tmp_path, 5)
    if graded:
        first = table(tmp_path, "graded.csv", {f"q{i}": 0.5 + 0.5 * (i < 5) for i in range(20)})
        second = table(tmp_path, "plain.csv", {f"q{i}": 0.5 for i in range(20)})
    options = ("--level", "0.999", "--alpha", "0.1")
    code, printed, _ = call("compare", first, second, *options, "--format", "json")
    judged = said(printed)["extra"]["interval"]
    assert (code, judged["ci_low"] < 0 < judged["ci_high"]) == (0, True)
    apart = "the interval has level 0.999, the test alpha 0.1: they may disagree, and the test decides"
    assert judged["note"] == apart
    assert apart in call("compare", first, second, *options)[1]
    for same in (("--level", "0.9", "--alpha", "0.1"), (), ("--margin", "0.01", "--level", "0.9")):
        assert "they may disagree" not in call("compare", first, second, *same)[1]


def test_a_margin_below_0_may_be_written_as_any_float(tmp_path, call):
    first, second = flips(tmp_path, 5)
    wanted = call("compare", first, second, "--margin", "-0.01")
    assert wanted[0] != 2
    for written in ("-1e-2", "-1E-2", "-.01", "-.1e-1", "-0.1e-1", "-10e-3", "-0.0_1"):
        assert call("compare", first, second, "--margin", written) == wanted
    assert call("compare", first, second, "--margin=-1e-2") == wanted
    for odd in ("-inf", "-nan"):
        code, _, complaint = call("compare", first, second, "--margin", odd)
        assert (code, "--margin must be a finite number, got" in complaint) == (2, True)
    assert "invalid float value: '-1x'" in call("compare", first, second, "--margin", "-1x")[2]
    assert "expected one argument" in call("compare", first, second, "--margin", "-x")[2]


HOSTILE = "a\x1b[31m\x07\x9b2J\u202e\u200bz"
SPELT = r"a\x1b[31m\x07\x9b2J\u202e\u200bz"


def test_no_text_of_others_steers_the_terminal(tmp_path, call):
    """Ids, systems, columns and file names, in reports and in complaints."""
    logs = [table(tmp_path, f"{HOSTILE}{k}.csv", {f"{HOSTILE}{i}": i % 2 for i in range(20 + k)}) for k in (0, 1)]
    named = table(tmp_path, "named.csv", {"q1": 1, "q2": 0, "q3": 1}, **{HOSTILE: HOSTILE})
    calls = [
        ("compare", *logs),
        *(("compare", *logs, "--common", "--format", form) for form in ("md", "html", "json", "latex")),
        ("accuracy", logs[0]),
        ("accuracy", named, "--system", HOSTILE),
        ("accuracy", named, "--item", "id"),
        ("accuracy", named, "--metric", HOSTILE),
        ("accuracy", named + HOSTILE),
        ("accuracy", logs[0], HOSTILE, f"--{HOSTILE}"),
    ]
    for arguments in calls:
        written = "".join(call(*arguments)[1:])
        assert written.replace("\n", "").isprintable(), arguments
        assert "31m" in written, arguments
    assert SPELT in call("compare", *logs)[2]


def test_json_always_has_the_same_shape(tmp_path, call):
    scores = {
        "marks": lambda i: i % 2,
        "other": lambda i: int(i % 3 > 0),
        "graded": lambda i: i / 30,
        "same": lambda i: 0.5,
    }
    logs = {name: table(tmp_path, f"{name}.csv", {f"q{i}": f(i) for i in range(30)}) for name, f in scores.items()}
    calls = [
        (logs["marks"], logs["other"]),
        (logs["marks"], logs["marks"]),
        (logs["marks"], logs["graded"]),
        (logs["marks"], logs["other"], "--margin", "0.1"),
        (logs["marks"], logs["other"], "--cluster", "item"),
        (logs["same"], logs["same"]),
        (A, B, "--metric", "match"),
        (A, B, "--metric", "match", "--cluster", "template", "--level", "0.9"),
    ]
    shapes = set()
    for arguments in calls:
        code, printed, complaint = call("compare", *arguments, "--format", "json")
        assert code != 2, complaint
        answer = said(printed)
        judged = answer["extra"]["interval"]
        shapes.add((tuple(sorted(answer)), tuple(sorted(answer["extra"])), tuple(sorted(judged))))
    assert len(shapes) == 1


def test_a_report_says_what_a_and_b_are(tmp_path, call):
    """By system, else by file; and where they came from."""
    rows = [f"q{i},{name},{int(i < k)}" for name, k in (("new", 30), ("old", 20)) for i in range(40)]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(["item,model,correct", *rows]))
    both = ("compare", f"{path}::new", f"{path}::old", "--system", "model", "--format")
    answer = said(call(*both, "json")[1])
    assert answer["extra"]["interval"]["name"] == "new - old"
    assert answer["extra"]["log_a"] == {"source": str(path), "system": "new", "metric": "correct"}
    row = call(*both, "md")[1].splitlines()[2]
    assert row.startswith("| new - old | ship |")
    assert "log_b.system = old" in row.replace("\\", "")
    assert "new better: p = " in row
    assert call("compare", A, B, "--metric", "match")[1].splitlines()[2].startswith(r"| sums_a.eval - sums_b.eval |")
    names = [row["name"] for row in json.loads(call("accuracy", A, B, "--metric", "match", "--format", "json")[1])]
    assert names == ["match of sums_a.eval", "match of sums_b.eval"]


def test_a_margin_in_points_is_caught(tmp_path, call):
    first, second = flips(tmp_path, 5)
    for margin in ("-5", "1", "30"):
        code, _, complaint = call("compare", first, second, "--margin", margin)
        meant = f"got {margin}; did you mean {float(margin) / 100:g}?"
        assert (code, meant in complaint) == (2, True)
    graded = [table(tmp_path, f"{k}.csv", {f"q{i}": i % 7 + k for i in range(30)}) for k in (10, 14)]
    graded[1] = table(tmp_path, "14.csv", {f"q{i}": i % 5 + 14 for i in range(30)})
    assert call("compare", *graded, "--margin", "-5")[0] == 0


def test_scores_on_two_scales_are_warned_of(tmp_path, call):
    tens = table(tmp_path, "tens.csv", {f"q{i}": i % 11 for i in range(30)})
    ones = table(tmp_path, "ones.csv", {f"q{i}": i % 2 for i in range(30)})
    assert "are both on one scale?" in said(call("compare", tens, ones, "--format", "json")[1])["caveat"]


def test_version():
    outcome = run("--version")
    assert (outcome.returncode, outcome.stdout) == (0, f"evalstats-course {es.__version__}\n")


def test_every_option_is_explained():
    """Of each command, and its arguments."""
    commands = next(action.choices for action in _parser()._actions if action.choices)
    assert set(commands) == {"compare", "accuracy", "power", "gate"}
    assert [(name, one.dest) for name, command in commands.items() for one in command._actions if not one.help] == []
    power = " ".join(run("power", "--help").stdout.split())
    assert "discordant_rate" in power
    assert "pilot_required_n_mcnemar" in power


@pytest.mark.parametrize(
    ("file", "options", "says"),
    [
        ("u.csv", (), '1 of 3 answers have no score (line 3); say --unscored "leave out" or --unscored wrong to go on'),
        ("two.csv", (), "item 'q1' has a score already (two.csv, line 2); name by --epoch the column"),
        (
            "two.csv",
            ("--item", "id"),
            "two.csv has no column 'id'; its columns are item, correct; name yours by --item",
        ),
        ("named.csv", (), "named.csv has no column 'correct'; its columns are item, right; name yours by --metric"),
        ("two.csv", ("--filter-name", "x"), "two.csv takes no --filter-name"),
        ("kinds.csv", ("--cluster", "kind"), "--cluster must name at least 2 clusters, got 1"),
        ("parts.json", (), "name one value by --metric match/key, of digits, words"),
        ("two.csv::x", (), "::x needs --system, the column that names the systems"),
    ],
)
def test_messages_name_options_as_they_are_typed(tmp_path, call, file, options, says):
    (tmp_path / "u.csv").write_text("item,correct\nq1,1\nq2,\nq3,0\n")
    (tmp_path / "two.csv").write_text("item,correct\nq1,1\nq1,0\n")
    (tmp_path / "kinds.csv").write_text("item,correct,kind\nq1,1,x\nq2,0,x\n")
    samples = [{"id": "q1", "epoch": 1, "scores": {"match": {"value": {"digits": 1, "words": 0}}}}]
    (tmp_path / "parts.json").write_text(json.dumps({"status": "success", "samples": samples}))
    (tmp_path / "named.csv").write_text("item,right\nq1,1\nq2,0\n")
    code, _, complaint = call("accuracy", str(tmp_path / file), *options)
    assert (code, says in complaint) == (2, True), complaint


def test_marks_in_json_as_the_front_page_has_them(tmp_path, call):
    for name, k in (("a.json", 30), ("b.json", 20)):
        (tmp_path / name).write_text(json.dumps({f"capital/{i}": int(i < k) for i in range(40)}))
    code, printed, _ = call("compare", str(tmp_path / "a.json"), str(tmp_path / "b.json"))
    assert (code, "| a - b | ship |" in printed) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["compare", A], "the following arguments are required: B"),
        (["compare", A, B], "name one by --metric of match, graded"),
        (
            ["compare", A, B, "--metric", "match", "--level", "1.5"],
            "--level must lie strictly between 0 and 1, got 1.5",
        ),
        (
            ["compare", *SAMPLES, "--filter-name", "digits", "--level", "0.5"],
            "--level must lie strictly between 0.5 and",
        ),
        (
            ["compare", A, B, "--metric", "graded/length", "--level", "0.9999999999999"],
            "--level must lie strictly between 0.5 and 1, got 0.9999999999999",
        ),
        (["compare", A, B, "--metric", "match", "--alpha", "0.5"], "--alpha is the level of the test, such as 0.05"),
        (
            ["compare", A, B, "--metric", "match", "--alpha", "0.5", "--level", "0.5"],
            "--alpha is the level of the test",
        ),
        (["compare", A, B, "--metric", "match", "--margin", "nan"], "--margin must be a finite number, got nan"),
        (["compare", A, B, "--metric", "match", "--margin", "a lot"], "invalid float value: 'a lot'"),
        (["compare", A, B, "--metric", "match", "--item", "id"], "sums_a.eval takes no --item"),
        (["compare", A, f"{B}::x", "--metric", "match"], "sums_b.eval takes no ::NAME"),
        (["compare", A, SAMPLES[0], "--metric", "match"], "name one by --filter-name of first, digits"),
        (["compare", *SAMPLES, "--filter-name", "digits", "--level", "0.3"], "--level is the confidence, such as 0.95"),
        (["accuracy", str(ROOT)], "must be a file"),
        (["accuracy", "runs.csv"], "No such file"),
        (["accuracy", str(LOGS / "sums_failed.json"), "--metric", "match"], "3 of 36 answers have no score"),
        (["power", "--delta", "0.3", "--psi", "0.25"], "psi"),
        (["power", "--delta", "0", "--psi", "0.25"], "delta"),
        (["power", "--delta", "0.1", "--psi", "1.5"], "psi"),
        (["power", "--delta", "0.1", "--psi", "0.25", "--n", "9", "--power", "0.8"], "give --n or --power"),
        (["gate", "--n", "0", "--accuracy", "0.85", "--drop", "0.05"], "--n must be an integer of at least 1, got 0"),
        (
            ["gate", "--n", "9", "--accuracy", "0.8", "--drop", "0.5", "--right", "10", "3"],
            r"--right must be counts in [0, 9], got 10 and 3",
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
    assert "warning: 10 items matched by id; 20 only in A: q0" in printed
    assert "items are seldom lost at random" in printed


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
    assert (code, "name one as FILE::NAME of new, old" in complaint) == (2, True)
    code, _, complaint = call("accuracy", f"{path}::new", "--metric", "right")
    assert (code, "::new needs --system" in complaint) == (2, True)


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
