"""The table as a file that the book shows, and on the terminal."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import groupby
from typing import Any

from book.tools.places import ROOT

STORED = ROOT / "book" / "appendix" / "speed.toml"
HEAD = "# Made by `make bench`; not to be edited.\n"
SECTIONS = ("run", "versions", "grading_run", "grading_versions")
TABLES = ("target", "row", "file", "growth", "grading")
Section = Mapping[str, Any]


def machine(load: tuple[float, float], rounds: int) -> dict[str, Any]:
    """What it ran on: the kind of machine, never its name."""
    return {
        "date": date.today().isoformat(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 1,
        "load_before": round(load[0], 1),
        "load_after": round(load[1], 1),
        "rounds": rounds,
    }


def as_toml(kept: Mapping[str, Any]) -> str:
    """Everything that is kept, in a fixed order; graders may never have been run."""
    parts = [section(f"[{name}]", kept[name]) for name in SECTIONS if name in kept]
    parts += [section(f"[[{name}]]", values) for name in TABLES for values in kept.get(name, [])]
    return HEAD + "\n" + "\n".join(parts)


def section(head: str, values: Section) -> str:
    """Numbers, truths and strings are written alike in TOML and in JSON."""
    lines = [f"{json.dumps(key) if '-' in key else key} = {json.dumps(value, ensure_ascii=False)}"
             for key, value in values.items()]  # fmt: skip
    return "\n".join([head, *lines]) + "\n"


def as_text(rows: Iterable[Section], targets: Iterable[Section]) -> str:
    """For the terminal: one block a question, then the targets."""
    lines = []
    for title, group in groupby(rows, key=lambda row: f"{row['letter']}  {row['title']}"):
        lines += ["", title, *(line_of(row) for row in group)]
    lines += ["", "Targets"]
    for target in targets:
        verdict = "met   " if target["met"] else "MISSED"
        reason = f" ({target['reason']})" if "reason" in target else ""
        lines.append(f"  {verdict} {target['value']:>10,g}  {target['says']}{reason}")
    return "\n".join(lines)


def line_of(row: Section) -> str:
    name = f"  {row['who']:<12} {row['label']:<50}"
    if "missing" in row:
        return f"{name} {row['missing']}"
    memory = f"{row['memory']:>8,g} MB" if "memory" in row else " " * 11
    more = "; ".join(row[key] for key in ("scaled", "note") if key in row)
    return f"{name} {row['ms']:>12,g} ms {row['ratio']:>10,g} x {memory}  {more}".rstrip()
