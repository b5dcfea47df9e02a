"""Error bars, verdicts and sample sizes from the command line: `python -m evalstats --help`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

SHIP, NOT, BAD_USE, CANNOT_SAY = 0, 1, 2, 3
DECISIONS = {"ship": SHIP, "A better": SHIP, "don't ship": NOT, "B better": NOT, "inconclusive": CANNOT_SAY}
EXIT_CODES = (
    "Exit code: 0 ship, or nothing to decide; 1 don't ship, or a regression; 2 bad use or input; 3 inconclusive."
)


class _Parser(argparse.ArgumentParser):
    """Errors in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_USE, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m evalstats", description="Error bars for evals.", epilog=EXIT_CODES)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    compare = commands.add_parser("compare", help="is A better than B, on the items of both?", epilog=EXIT_CODES)
    compare.add_argument("a", metavar="A", help="log of the candidate; FILE::NAME picks a system of a table")
    compare.add_argument("b", metavar="B", help="log of what it would replace")
    compare.add_argument(
        "--margin", type=float, help="ship if A - B exceeds this, by the interval (default: by the test)"
    )
    compare.add_argument("--common", action="store_true", help="go on although items of one log have no partner")
    accuracy = commands.add_parser("accuracy", help="the mean score of each log", epilog=EXIT_CODES)
    accuracy.add_argument("logs", metavar="LOG", nargs="+")
    for reading in (compare, accuracy):
        _add_options(reading, str, "cluster", "stratum", "metric", "item", "epoch", "system", "filter_name")
        reading.add_argument("--unscored", choices=("refuse", "leave out", "wrong"), help="answers without a score")
        reading.add_argument("--level", type=float, default=0.95, help="of the interval (default: 0.95)")
    power = commands.add_parser("power", help="how many shared items does McNemar's test need?", epilog=EXIT_CODES)
    _add_options(power, float, "delta", "psi", required=True)
    _add_options(power, float, "alpha", "power")
    power.add_argument("--n", type=int, help="say the power of so many items instead")
    gate = commands.add_parser("gate", help="at which drop must a build fail?", epilog=EXIT_CODES)
    _add_options(gate, int, "n", required=True)
    _add_options(gate, float, "accuracy", "drop", required=True)
    _add_options(gate, float, "alpha", "flip_rate", "threshold")
    gate.add_argument("--right", type=int, nargs=2, metavar=("BEFORE", "AFTER"), help="right answers: fails it?")
    for command in (compare, accuracy, power, gate):
        command.add_argument("--format", choices=("md", "html", "json", "latex"), default="md")
    return parser


def _add_options(parser: argparse.ArgumentParser, kind: Any, *names: str, required: bool = False) -> None:
    for name in names:
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, required=required)


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Those options that were given, so that the library's own defaults hold for the others."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _read(name: str, options: argparse.Namespace) -> Any:
    from .io import read_log

    path, _, only = name.partition("::")
    columns = _given(options, "cluster", "stratum", "metric", "item", "epoch", "system", "filter_name", "unscored")
    return read_log(path, only=only or None, **columns)


def _compare(options: argparse.Namespace) -> tuple[list[Any], int]:
    """Exact McNemar, or what clusters and graded scores need; the decision is the test's, or the margin's."""
    import numpy as np

    from .cluster import paired_cluster_t
    from .decide import compare_paired, verdict
    from .io import align

    both = align(_read(options.a, options), _read(options.b, options), strict=not options.common)
    result: Any
    if np.isin([both.a, both.b], (0, 1)).all():
        alpha = round(1 - options.level, 12)
        result = compare_paired(both, groups=both.clusters, strata=both.strata, alpha=alpha)
    else:
        result = paired_cluster_t(both.a, both.b, both.clusters or both.items, both.strata, options.level)
    notes = [*filter(None, [result.warning]), *([] if both.complete else str(both).splitlines()[1:]), *both.notes]
    result = replace(result, warning="; ".join(dict.fromkeys(notes)) or None)
    if result.ci_low is None:  # the systems do not differ on any item
        return [result], CANNOT_SAY
    if options.margin is not None or not hasattr(result, "verdict"):
        result = verdict(result, options.margin or 0.0)
    return [result], DECISIONS[getattr(result, "decision", None) or result.verdict]


def _accuracy(options: argparse.Namespace) -> tuple[list[Any], int]:
    from .cluster import mean_interval

    answers = []
    for log in (_read(name, options) for name in options.logs):
        groups, strata = (known and known.values() for known in (log.by_item("clusters"), log.by_item("strata")))
        name = f"{log.metric} of {log.system}"
        answer = mean_interval(list(log.means().values()), groups, strata, options.level, name=name)
        notes = [*filter(None, [answer.warning]), *log.notes]
        answers.append(replace(answer, warning="; ".join(notes) or None))
    return answers, SHIP


def _power(options: argparse.Namespace) -> tuple[list[Any], int]:
    from . import power

    design = (options.delta, options.psi)
    if options.n is None:
        needed = (power.required_n_mcnemar, power.required_n_mcnemar_midp, power.required_n_mcnemar_exact)
        return [function(*design, **_given(options, "alpha", "power")) for function in needed], SHIP
    if options.power is not None:
        raise ValueError(f"give n or power, got n = {options.n} and power = {options.power:g}")
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
        raise ValueError(f"right answers must lie in [0, {options.n}], got {before} and {after}")
    fails = before - after >= found.extra["items"]
    words = f"the build {'fails' if fails else 'passes'}: {before} right before, {after} after; {found.decision}"
    return [replace(found, decision=words)], NOT if fails else SHIP


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says what was decided."""
    options = _parser().parse_args(arguments)
    run = {"compare": _compare, "accuracy": _accuracy, "power": _power, "gate": _gate}[options.command]
    try:
        from . import _checks, report

        _checks.share("level", getattr(options, "level", 0.95))
        results, code = run(options)
        write = {"md": report.to_markdown, "html": report.to_html, "json": report.to_json, "latex": report.to_latex}
        print(write[options.format](results))
    except (ValueError, OSError, ImportError) as error:
        print(f"python -m evalstats: {' '.join(str(error).split())}", file=sys.stderr)
        return BAD_USE
    return code


if __name__ == "__main__":
    sys.exit(main())
