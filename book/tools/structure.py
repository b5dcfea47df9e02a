"""The course as a list of pages: which there are, what belongs to each, and what belongs nowhere."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from book.tools.places import ROOT

EXERCISES_A_CHAPTER_HAS = 6
QUESTIONS_A_QUIZ_HAS = 6
CARDS_A_CHAPTER_HAS = 10

# (stem, companion): what a chapter does not have, and why. Nothing else excuses a missing companion.
EXEMPTIONS: dict[tuple[str, str], str] = {}


@dataclass(frozen=True)
class Page:
    """A page of the book. `stem` names it everywhere: a chapter's stem also names its companions."""

    stem: str
    source: Path
    is_chapter: bool

    @property
    def is_day(self) -> bool:
        """Whether this is the daily lesson of a chapter, which shares the chapter's stem and ledger."""
        return self.source.parent.name == "days"


def _toc_files(node: Any) -> list[str]:
    """The `file:` and `root:` entries of a table of contents, in order."""
    if isinstance(node, list):
        return [file for item in node for file in _toc_files(item)]
    if not isinstance(node, dict):
        return []
    own = [str(node[key]) for key in ("root", "file") if key in node]
    return own + [file for value in node.values() for file in _toc_files(value)]


def front_matter(source: Path) -> dict[str, Any]:
    """The YAML at the head of a page."""
    text = source.read_text(encoding="utf-8")
    if not text.startswith("---\n"):
        return {}
    return yaml.safe_load(text[4:].split("\n---", 1)[0]) or {}


def pages(root: Path = ROOT) -> list[Page]:
    """The Markdown pages of `_toc.yml` in order. A chapter is an executable page under `book/`, not the first."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    found = []
    for i, file in enumerate(_toc_files(toc)):
        source = root / (file if file.endswith(".md") else f"{file}.md")
        if source.is_file():
            is_chapter = i > 0 and source.parent == root / "book" and "kernelspec" in front_matter(source)
            found.append(Page(source.stem, source, is_chapter))
    return found


def ledgered(root: Path = ROOT) -> list[Page]:
    """The pages that have a ledger of their own: all but the daily lessons."""
    return [page for page in pages(root) if not page.is_day]


def chapters(root: Path = ROOT) -> list[str]:
    """The stems of the chapters, in the order of `_toc.yml`."""
    return [page.stem for page in pages(root) if page.is_chapter]


def objectives(stem: str, root: Path = ROOT) -> list[str]:
    """The ids of a chapter's objectives."""
    return [str(item["id"]) for item in front_matter(root / "book" / f"{stem}.md").get("objectives", [])]


# ---- companions ------------------------------------------------------------------------------------------------------


def exercise_folders(stem: str, root: Path = ROOT) -> list[Path]:
    """The folders of a chapter's exercises."""
    return sorted(path.parent for path in (root / "exercises" / stem).glob("*/check.py"))


def companions(stem: str, root: Path = ROOT) -> dict[str, list[Path]]:
    """The files that a chapter must have beside it, by what they are for."""
    book = root / "book"
    exercises = exercise_folders(stem, root)
    return {
        "notebook": [book / "notebooks" / f"{stem}.ipynb"],
        "ledger": [book / "ledger" / f"{stem}.toml"],
        "quiz": [book / "quizzes" / f"{stem}.yml"],
        "cards": [book / "cards" / f"{stem}.yml"],
        "day": [book / "days" / f"{stem}.md"],
        "worksheet": [root / "exercises" / stem / "worksheet.ipynb"],
        "exercise": [
            folder / name for folder in exercises for name in ("statement.md", "starter.py", "check.py", "hints.md")
        ],
        "solution": [root / "solutions" / stem / f"{folder.name}.py" for folder in exercises],
        "graders": [root / "tests" / "graders" / stem / folder.name for folder in exercises],
    }


def missing(stem: str, root: Path = ROOT) -> list[str]:
    """What a chapter lacks and is not excused from."""
    found = [
        f"{what}: {path.relative_to(root).as_posix()} is not there"
        for what, paths in companions(stem, root).items()
        if (stem, what) not in EXEMPTIONS
        for path in paths
        if not path.exists()
    ]
    count = len(exercise_folders(stem, root))
    if count < EXERCISES_A_CHAPTER_HAS and (stem, "exercise") not in EXEMPTIONS:
        found.append(f"exercise: there are {count}, of at least {EXERCISES_A_CHAPTER_HAS}")
    return found


# ---- strays ----------------------------------------------------------------------------------------------------------

# Where a file may stand: {chapter}, {page} and {exercise} are names that exist, `*` is any name, `**` any path.
LAYOUT = """
    README.md CONTRIBUTING.md CHANGELOG.md LICENSE Makefile pyproject.toml requirements.lock
    _config.yml _toc.yml course.toml .gitignore .gitattributes .npmrc .ci/run .github/workflows/*.yml
    book/{page}.md book/appendix/{page}.md book/days/{page}.md book/references.bib book/misconceptions.yml
    book/appendix/speed.toml
    book/notebooks/{chapter}.ipynb book/quizzes/{chapter}.yml book/cards/{chapter}.yml
    book/*/schema.json book/misconceptions.schema.json
    book/ledger/{page}.toml book/ledger/seeds.toml book/ledger/anchors.toml book/ledger/errata.toml
    book/tools/*.py book/_static/** book/_templates/*.html book/widgets/**
    exercises/*.py exercises/misconceptions.json exercises/py.typed exercises/grading/**
    exercises/{chapter}/__init__.py exercises/{chapter}/worksheet.ipynb exercises/{exercise}/__init__.py
    exercises/{exercise}/statement.md exercises/{exercise}/starter.py exercises/{exercise}/check.py
    exercises/{exercise}/hints.md solutions/{exercise}.py
    evalstats/*.py evalstats/py.typed evalstats/datasets/**
    tests/conftest.py tests/graders/*.py tests/graders/{exercise}/wrong_*.py tests/graders/{exercise}/right_*.py
    tests/stats/** tests/course/** tests/grading/** tests/browser/** tests/reference/** tests/calibration/**
    tests/bench/**
"""


def tracked(root: Path = ROOT) -> list[str]:
    """The files of the repository: kept by git, or new and not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(name for name in listed if (root / name).is_file())


def allowed(root: Path = ROOT) -> set[str]:
    """The patterns of `LAYOUT` with the names of this course filled in."""
    stems = chapters(root)
    names = {
        "{chapter}": stems,
        "{page}": [page.stem for page in pages(root)],
        "{exercise}": [f"{stem}/{folder.name}" for stem in stems for folder in exercise_folders(stem, root)],
    }
    patterns: set[str] = set()
    for pattern in LAYOUT.split():
        hole = next((hole for hole in names if hole in pattern), "")
        patterns |= {pattern.replace(hole, name) for name in names[hole]} if hole else {pattern}
    return patterns


def strays(files: list[str], root: Path = ROOT) -> list[str]:
    """Files that have no place in the layout."""
    places = re.compile("|".join(_as_regex(pattern) for pattern in sorted(allowed(root))))
    return [name for name in files if not places.fullmatch(name)]


def _as_regex(pattern: str) -> str:
    return re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
