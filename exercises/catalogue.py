"""Find exercises and their texts by name."""

from __future__ import annotations

import difflib
import importlib
import json
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from exercises.exercise import Exercise

PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parent
SOLUTIONS = CHECKOUT / "solutions"
DISTRIBUTION = "evalstats-course"
_known: set[str] = set()  # names of exercises: to look through the folders takes longer than most checks do


@dataclass(frozen=True)
class Misconception:
    """One entry of the catalogue of slips: what people say, what to ask oneself, and why it is wrong."""

    title: str
    say: str
    ask: str
    because: str


def names(chapter: str | None = None) -> list[str]:
    """The names of all exercises, or of one chapter's, in the order of `course.toml` and then of the alphabet."""
    found = sorted(f"{path.parts[-3]}/{path.parts[-2]}" for path in PACKAGE.glob("*/*/check.py"))
    order = _course_order()
    found.sort(key=lambda name: order.index(name) if name in order else len(order))
    return [name for name in found if chapter is None or name.startswith(f"{chapter}/")]


def chapters() -> list[str]:
    """The stems of the chapters that have exercises."""
    return list(dict.fromkeys(name.partition("/")[0] for name in names()))


def _course_order() -> list[str]:
    course = CHECKOUT / "course.toml"
    if not course.exists():
        return []
    assignments = tomllib.loads(course.read_text(encoding="utf-8"))["assignment"]
    items = [item for assignment in assignments.values() for item in assignment["exercises"]]
    return [item["exercise"] for item in items if "exercise" in item]  # questions marked by a person have none


def load(name: str) -> Exercise:
    """The exercise called `name`, such as `paired/exact_mcnemar`."""
    name = str(name)
    if name not in _known:
        _known.update(names())
    if name not in _known:
        near = _nearest(name)
        did_you_mean = f" Did you mean {near!r}?" if near else ""
        raise ValueError(f"there is no exercise {name!r}.{did_you_mean} `python -m exercises list` shows all names.")
    module = importlib.import_module(f"exercises.{name.replace('/', '.')}.check")
    exercise: Exercise = module.exercise
    return exercise


def _nearest(name: str) -> str | None:
    """The first name that begins like this, with or without its chapter, or else the one spelt most like it."""
    known = names()
    for each in known:
        if name and (each.startswith(name) or each.partition("/")[2].startswith(name)):
            return each
    return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.3)), None)


def text(name: str, file: str) -> str:
    """The text of one file of the exercise: `statement.md`, `starter.py`, `hints.md`."""
    return (PACKAGE / load(name).name / file).read_text(encoding="utf-8")


def hints(name: str) -> list[tuple[str, str]]:
    """The hints as (title, text), from the gentlest on."""
    parts = re.split(r"^## +(.+)$", text(name, "hints.md"), flags=re.MULTILINE)
    return [(title.strip(), body.strip()) for title, body in zip(parts[1::2], parts[2::2], strict=True)]


def hint(name: str, level: int) -> tuple[str, str]:
    """One hint, its title numbered; 1 is the gentlest."""
    found = hints(name)
    if not 1 <= level <= len(found):
        raise ValueError(f"level is {level}; {name} has hints from 1 to {len(found)}")
    title, body = found[level - 1]
    return f"Hint {level} of {len(found)}: {title}", body


def solution_file(name: str) -> Path | None:
    """The model answer, when this is a checkout."""
    path = SOLUTIONS / f"{load(name).name}.py"
    return path if path.exists() else None


def solution_page(name: str) -> str:
    """Where the model answer can be read when this is not a checkout."""
    path = f"solutions/{load(name).name}.py"
    repository = _repository()
    return f"{repository}/blob/main/{path}" if repository else f"{path} in the repository of the course"


def anchor(name: str) -> str:
    """The id of the exercise's box on its page."""
    return "practice-" + re.sub(r"[/_]", "-", name)


def _repository() -> str | None:
    try:
        urls = metadata(DISTRIBUTION).get_all("Project-URL") or []
    except PackageNotFoundError:
        return None
    return dict(url.split(", ", 1) for url in urls).get("Repository")


@cache
def misconceptions() -> dict[str, Misconception]:
    """The misconceptions that exercises name: a copy of what they need from the book's catalogue."""
    stored: dict[str, Any] = json.loads((PACKAGE / "misconceptions.json").read_text(encoding="utf-8"))
    return {identifier: Misconception(**fields) for identifier, fields in stored.items()}
