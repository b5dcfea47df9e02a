"""Error bars, verdicts and sample sizes from the command line: `python -m evalstats --help`."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ._visible import visible

if TYPE_CHECKING:
    from .io import Alignment, EvalLog
    from .result import Estimate

SHIP, NOT, BAD_USE, CANNOT_SAY = 0, 1, 2, 3
DECISIONS = {"ship": SHIP, "don't ship": NOT, "inconclusive": CANNOT_SAY}
EXIT_CODES = (
    "Exit code: 0 ship, or nothing to decide; 1 don't ship, or a regression; 2 bad use or input; 3 inconclusive."
)
FROM_A_PILOT = (
    "The psi of a pilot, its discordant_rate as compare prints it, is an estimate; in Python, pilot_required_n_mcnemar "
    "passes its uncertainty on to n."
)
FEW_EFFECTIVE = 10  # with fewer right or wrong answers, as many as the spread is worth, t covers too seldom
HELP = {
    "cluster": "column (or metadata) that says which items were drawn together, such as a template",
    "stratum": "column (or metadata) that says which fixed part of the eval an item is from",
    "metric": "the score to read, where a log has several: a scorer, a metric, a column",
    "item": "column of a table that holds the item id (default: item)",
    "epoch": "column of a table that tells several answers to an item apart",
    "system": "column of a table that names the systems",
    "filter_name": "filter of lm-evaluation-harness whose scores to read",
    "delta": "difference of the two accuracies to be detected, such as 0.03",
    "psi": "share of items on which exactly one of the two is right, such as the discordant_rate of a compare",
    "power": "how often the difference is to be detected (default: 0.8)",
    "alpha": "level of the test (default: 0.05)",
    "n": "items in each run",
    "accuracy": "accuracy before the change",
    "drop": "true drop of the accuracy that should be caught",
    "flip_rate": "same items in both runs: share that flips between two runs of one system (default: fresh items)",
    "threshold": "judge this drop instead of choosing one",
}


class _Parser(argparse.ArgumentParser):
    """Errors in one line, and numbers below 0 in every way that a float is written."""

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        # argparse itself takes -1e-2 and -inf for the names of options.
        self._negative_number_matcher = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_USE, f"{self.prog}: {visible(message)}\n")


class _Version(argparse.Action):
    """Which package this is; looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from . import __distribution__, __version__

        print(__distribution__, __version__)
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m evalstats", description="Error bars for evals.", epilog=EXIT_CODES)
    parser.add_argument("--version", action=_Version, nargs=0, help="name and version of the package")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    compare = commands.add_parser("compare", help="is A better than B, on the items of both?", epilog=EXIT_CODES)
    compare.add_argument("a", metavar="A", help="log of the candidate; FILE::NAME picks a system of a table")
    compare.add_argument("b", metavar="B", help="log of what it would replace")
    bar = "ship if A - B exceeds this by the interval, in the unit of the scores: -0.01 for not worse by a point"
    compare.add_argument("--margin", type=float, default=0.0, help=f"{bar} (default: 0, by the test)")
    compare.add_argument("--alpha", type=float, default=0.05, help="level of the test (default: 0.05)")
    compare.add_argument("--common", action="store_true", help="go on although items of one log have no partner")
    accuracy = commands.add_parser("accuracy", help="the mean score of each log", epilog=EXIT_CODES)
    accuracy.add_argument("logs", metavar="LOG", nargs="+", help="a log; FILE::NAME picks a system of a table")
    for reading in (compare, accuracy):
        _add_options(reading, str, "cluster", "stratum", "metric", "item", "epoch", "system", "filter_name")
        reading.add_argument("--unscored", choices=("refuse", "leave out", "wrong"), help="answers without a score")
        reading.add_argument("--level", type=float, default=0.95, help="of the interval (default: 0.95)")
    power = commands.add_parser(
        "power", help="how many shared items does McNemar's test need?", epilog=f"{FROM_A_PILOT} {EXIT_CODES}"
    )
    _add_options(power, float, "delta", "psi", required=True)
    _add_options(power, float, "alpha", "power")
    power.add_argument("--n", type=int, help="say the power of so many items instead")
    gate = commands.add_parser("gate", help="at which drop must a build fail?", epilog=EXIT_CODES)
    _add_options(gate, int, "n", required=True)
    _add_options(gate, float, "accuracy", "drop", required=True)
    _add_options(gate, float, "alpha", "flip_rate", "threshold")
    gate.add_argument("--right", type=int, nargs=2, metavar=("BEFORE", "AFTER"), help="right answers: fails it?")
    for command in (compare, accuracy, power, gate):
        formats = ("md", "html", "json", "latex")
        command.add_argument("--format", choices=formats, default="md", help="of the report (default: md)")
    return parser


def _add_options(parser: argparse.ArgumentParser, kind: Any, *names: str, required: bool = False) -> None:
    for name in names:
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, required=required, help=HELP[name])


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Those options that were given, so that the library's own defaults hold for the others."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


# --- logs ------------------------------------------------------------------------------------------------------------


def _read(name: str, options: argparse.Namespace) -> EvalLog:
    from .io import read_log

    path, _, only = name.partition("::")
    columns = _given(options, "cluster", "stratum", "metric", "item", "epoch", "system", "filter_name", "unscored")
    return read_log(path, only=only or None, **columns)


def _labels(logs: Sequence[EvalLog]) -> list[str]:
    """What to call each log: its system, and where two share one, its file or path."""
    files = [Path(log.source).name for log in logs]
    systems, paths = [log.system for log in logs], [log.source for log in logs]
    both = [f"{file}::{system}" for file, system in zip(files, systems, strict=True)]
    numbered = [f"{path} ({number})" for number, path in enumerate(paths, 1)]
    return next((names for names in (systems, files, both, paths) if len(set(names)) == len(logs)), numbered)


def _origin(log: EvalLog) -> dict[str, str]:
    return {"source": log.source, "system": log.system, "metric": log.metric}


# --- commands --------------------------------------------------------------------------------------------------------


def _compare(options: argparse.Namespace) -> tuple[list[Any], int]:
    """The test decides, or with a margin the interval; every answer has the same fields."""
    from .decide import Decision
    from .io import align

    logs = [_read(name, options) for name in (options.a, options.b)]
    both = align(*logs, strict=not options.common)
    a, b = _labels(logs)
    result, facts = _compared(both, options)
    decision, reason = _decided(result, f"{a} better", f"{b} better", options)
    caveats = dict.fromkeys(filter(None, (result.warning, both.warning, _left_over(both))))
    extra = {
        **{"decided_by": "interval" if options.margin else "test", "margin": options.margin},
        **{"log_a": _origin(logs[0]), "log_b": _origin(logs[1])},
        "discordant_rate": float((both.a != both.b).mean()) if _marks(both) else None,
        "notes": list(both.notes),
        "interval": result.to_dict() | facts | {"name": f"{a} - {b}", "warning": None},
    }
    found = Decision(decision, reason, "; ".join(caveats) or None, "verdict", extra)
    return [found], DECISIONS[decision]


def _marks(both: Alignment) -> bool:
    import numpy as np

    return bool(np.isin([both.a, both.b], (0, 1)).all())


def _compared(both: Alignment, options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    """Exact McNemar, or what clusters and graded scores need; and the fields that only a comparison of marks has."""
    from .cluster import paired_cluster_t
    from .decide import compare_paired

    alpha, level = options.alpha, options.level
    _check_margin(options.margin, _marks(both))
    if not 0 < (rest := round(1 - level, 12)) < 0.5:
        raise ValueError(f"level must lie strictly between 0.5 and 1, got {level}")
    apart = f"the interval has level {level:.12g}, the test alpha {alpha:.12g}: they may disagree, and the test decides"
    note = None if rest == alpha or options.margin else apart
    if not _marks(both):
        test = paired_cluster_t(both.a, both.b, both.clusters or both.items, both.strata, level)
        verdict = "inconclusive" if test.pvalue > alpha else "A better" if test.effect > 0 else "B better"
        return test, {"alpha": alpha, "verdict": verdict, "interval": test.method, "note": note}
    result = compare_paired(both, groups=both.clusters, strata=both.strata, alpha=alpha)
    if rest == alpha and not options.margin:
        return result, {}
    shown = compare_paired(both, groups=both.clusters, strata=both.strata, alpha=rest)
    # Its own note would tell of an interval that belongs to the test, and that the test governs.
    return replace(result, ci_low=shown.ci_low, ci_high=shown.ci_high, level=level, note=note), {}


def _check_margin(margin: float, marks: bool) -> None:
    from ._checks import number

    if marks and abs(number("margin", margin)) >= 1:
        meant = f"; did you mean {margin / 100:g}?" if abs(margin) < 100 else ""
        raise ValueError(f"margin must lie strictly between -1 and 1 for marks of 0 and 1, got {margin:g}{meant}")


def _decided(result: Any, a_better: str, b_better: str, options: argparse.Namespace) -> tuple[str, str]:
    """What is decided and why. A margin of 0 or more claims that A is better, which the test must not contradict."""
    from .decide import verdict

    rejects = result.pvalue <= options.alpha
    relation = "at most" if rejects else "above"
    tested = f"p = {result.pvalue:.3g} ({result.method}) is {relation} alpha = {options.alpha:g}"
    if result.ci_low is None:
        return "inconclusive", "the same score on every item"
    if options.margin:
        judged = verdict(result, options.margin)
        if judged.decision == "ship" and options.margin > 0 and not rejects:
            return "inconclusive", f"{judged.reason}, but {tested}"
        return judged.decision, judged.reason
    if not rejects:
        return "inconclusive", tested
    return ("ship", f"{a_better}: {tested}") if result.effect > 0 else ("don't ship", f"{b_better}: {tested}")


def _left_over(both: Alignment) -> str | None:
    """What was not matched, which a decision must not hide."""
    lines = str(both).splitlines()[: 1 + bool(both.only_a) + bool(both.only_b)]
    return None if both.complete else f"{'; '.join(lines)}; items are seldom lost at random"


def _accuracy(options: argparse.Namespace) -> tuple[list[Any], int]:
    logs = [_read(name, options) for name in options.logs]
    answers = []
    for log, label in zip(logs, _labels(logs), strict=True):
        answer = _mean_of(log, options.level, f"{log.metric} of {label}")
        facts = {**answer.extra, **_origin(log), "notes": list(log.notes)}
        answers.append(replace(answer, extra=facts))
    return answers, SHIP


def _mean_of(log: EvalLog, level: float, name: str) -> Estimate:
    """The mean of the items; right or wrong answers keep to [0, 1] by Wilson's formula, other shares are cut off."""
    import numpy as np

    from .cluster import mean_interval, wilson_cluster_interval

    counts = set(Counter(log.items).values())
    marks = bool(np.isin(log.scores, (0, 1)).all())
    if marks and len(counts) == 1 and (log.clusters or counts != {1}):
        found = wilson_cluster_interval(log.scores, log.clusters or log.items, log.strata, level, name=name)
        facts, items = {**found.extra, "answers": found.n}, len(set(log.items))
        if log.clusters:
            return replace(found, n=items, extra=facts)
        # The answers to one item hang together, and items are what was drawn.
        warning = found.warning and found.warning.replace("cluster", "item")
        facts["drawn"] = str(facts["drawn"]).replace("cluster", "item")
        return replace(found, n=items, n_clusters=None, extra=facts, warning=warning)
    means = list(log.means().values())
    groups, strata = (known and known.values() for known in (log.by_item("clusters"), log.by_item("strata")))
    answer = mean_interval(means, groups, strata, level, name=name)
    return answer if "standard_error" not in answer.extra or min(means) < 0 or max(means) > 1 else _bounded(answer)


def _bounded(answer: Estimate) -> Estimate:
    """The interval of a mean of shares; near 0 and 1 it is Wilson's, for as many marks as the spread is worth."""
    from scipy.stats import t

    from .proportion import wilson_limits

    p, error = answer.point, answer.extra["standard_error"]
    worth = p * (1 - p) / error**2
    if min(p, 1 - p) * worth > FEW_EFFECTIVE and answer.ci_low >= 0 and answer.ci_high <= 1:
        return answer
    near = f"the rarer marks are worth only {min(p, 1 - p) * worth:.1f} drawn one by one: this may cover too seldom"
    warning = "; ".join(filter(None, (answer.warning, near)))
    low, high = wilson_limits(p, worth, float(t.isf((1 - answer.level) / 2, answer.extra["df"])))
    facts = {**answer.extra, "effective_n": worth}
    return replace(answer, ci_low=low, ci_high=high, method="wilson_effective_n", extra=facts, warning=warning)


def _power(options: argparse.Namespace) -> tuple[list[Any], int]:
    from . import power

    design = (options.delta, options.psi)
    if options.n is None:
        needed = (power.required_n_mcnemar, power.required_n_mcnemar_midp, power.required_n_mcnemar_exact)
        return [function(*design, **_given(options, "alpha", "power")) for function in needed], SHIP
    if options.power is not None:
        raise ValueError(f"give --n or --power, got --n {options.n} and --power {options.power:g}")
    reached = (power.power_mcnemar_uncorrected, power.power_mcnemar_midp, power.power_mcnemar_exact)
    return [function(options.n, *design, **_given(options, "alpha")) for function in reached], SHIP


def _gate(options: argparse.Namespace) -> tuple[list[Any], int]:
    from .decide import gate

    chosen = _given(options, "alpha", "flip_rate", "threshold")
    found = gate(options.n, options.accuracy, options.drop, **chosen)
    if options.right is None:
        return [found], SHIP
    before, after = options.right
    if not (0 <= before <= options.n and 0 <= after <= options.n):
        raise ValueError(f"--right must be counts in [0, {options.n}], got {before} and {after}")
    fails = before - after >= found.extra["items"]
    words = f"the build {'fails' if fails else 'passes'}: {before} right before, {after} after; {found.decision}"
    return [replace(found, decision=words)], NOT if fails else SHIP


# --- messages --------------------------------------------------------------------------------------------------------

SPOKEN = {  # what the readers say to a program, and what is typed here
    r"unscored='leave out' or unscored='wrong'": '--unscored "leave out" or --unscored wrong',
    r"with strict=True every item needs a partner, got": "every item needs a partner, unless you say --common; got",
    r"name one (?:scorer as )?metric of": "name one by --metric of",
    r"name one value as (\S+), of": r"name one value by --metric \1, of",
    r"^groups must": "--cluster must",
    r"^strata must": "--stratum must",
    r"name one filter_name of": "name one by --filter-name of",
    r"name one system as only of": "name one as FILE::NAME of",
    r"; got None$": "",
    r"only = '(.*)' needs system, the": r"::\1 needs --system, the",
    r"name the column that tells repeated answers apart": "name by --epoch the column that tells answers apart",
    r"(has no column '(?:item|id)'; .*)": r"\1; name yours by --item",
    r"(has no column 'correct'; .*)": r"\1; name yours by --metric",
}


def _spoken(message: str, options: argparse.Namespace) -> str:
    """A message of the library in one line of characters that are seen, and in the words of the command line."""
    words = visible(" ".join(message.split()))
    for pattern, typed in SPOKEN.items():
        words = re.sub(pattern, typed, words)
    words = re.sub(
        r"is read by \w+, which has no '(\w+)'; it has .*", lambda found: f"takes no {_typed(found[1])}", words
    )
    owner = re.match(r"(\w+)(?= (?:must|is|lies)\b)", words)
    if owner and hasattr(options, owner[1]):
        words = _typed(owner[1]) + words[owner.end() :]
    return words


def _typed(option: str) -> str:
    return "::NAME" if option == "only" else f"--{option.replace('_', '-')}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says what was decided."""
    options = _parser().parse_args(arguments)
    run = {"compare": _compare, "accuracy": _accuracy, "power": _power, "gate": _gate}[options.command]
    try:
        from . import _checks, report

        _checks.share("level", getattr(options, "level", 0.95))
        _checks.share("alpha", 0.05 if getattr(options, "alpha", None) is None else options.alpha)
        results, code = run(options)
        write = {"md": report.to_markdown, "html": report.to_html, "json": report.to_json, "latex": report.to_latex}
        print(write[options.format](results))
    except (ValueError, OSError, ImportError) as error:
        print(f"python -m evalstats: {_spoken(str(error), options)}", file=sys.stderr)
        return BAD_USE
    return code


if __name__ == "__main__":
    sys.exit(main())
