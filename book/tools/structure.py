"""The course as a list of pages: which there are, what belongs to each, and what belongs nowhere."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from book.tools.places import ROOT

EXERCISES_A_CHAPTER_HAS = 6
QUESTIONS_A_QUIZ_HAS = 6
CARDS_A_CHAPTER_HAS = 10
CHECKS_AN_EXERCISE_HAS = 3
ANSWERS_A_GRADER_HAS = {"wrong": 3, "right": 2}

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


# ---- what is owed ----------------------------------------------------------------------------------------------------

# A stub says what is owed where it is owed, in a comment of its language: `% unfinished: ...`, `# unfinished: ...`.
MARK = re.compile(r"^\s*(?:%|#|<!--)\s*unfinished:\s*(.+?)\s*(?:-->)?\s*$", flags=re.M)


def unfinished(stem: str, root: Path = ROOT) -> list[str]:
    """What a chapter still owes, one line each with the file that owes it: the marks in it, and what can be counted."""
    return list(
        dict.fromkeys([*_marks(stem, root), *missing(stem, root), *_too_few(stem, root), *_unserved(stem, root)])
    )


def _texts(stem: str, root: Path) -> Iterator[tuple[str, str]]:
    """The chapter and its companions as (path, text), without what is made."""
    files = [root / "book" / f"{stem}.md", *(path for paths in companions(stem, root).values() for path in paths)]
    for path in (one for file in files for one in (sorted(file.glob("*.py")) if file.is_dir() else [file])):
        if path.is_file() and path.suffix != ".ipynb":
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def _marks(stem: str, root: Path) -> Iterator[str]:
    for path, text in _texts(stem, root):
        yield from (f"{path}: {owed}" for owed in MARK.findall(text))


def _entries(path: Path, key: str) -> list[dict[str, Any]]:
    """The questions of a quiz or the cards of a deck: none in a file that is not there, or that cannot be read yet.

    What is wrong with a file is said where it is read for the page (book/tools/course_yaml.py).
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else None
    except yaml.YAMLError:
        return []
    entries = data.get(key) if isinstance(data, dict) else None
    return [entry for entry in entries or [] if isinstance(entry, dict)]


def _too_few(stem: str, root: Path) -> Iterator[str]:
    """Where there is less than a chapter or an exercise must have."""
    counts = {
        (f"book/quizzes/{stem}.yml", "questions"): QUESTIONS_A_QUIZ_HAS,
        (f"book/cards/{stem}.yml", "cards"): CARDS_A_CHAPTER_HAS,
    }
    for (path, key), least in counts.items():
        if (count := len(_entries(root / path, key))) < least:
            yield f"{path}: {key}: there are {count}, of at least {least}"
    for folder in exercise_folders(stem, root):
        name = f"{stem}/{folder.name}"
        checks = len(re.findall(r"^@exercise\.check\(", (folder / "check.py").read_text(encoding="utf-8"), flags=re.M))
        if checks < CHECKS_AN_EXERCISE_HAS:
            yield f"exercises/{name}/check.py: checks: there are {checks}, of at least {CHECKS_AN_EXERCISE_HAS}"
        for kind, least in ANSWERS_A_GRADER_HAS.items():
            count = len(list((root / "tests" / "graders" / name).glob(f"{kind}_*.py")))
            if count < least:
                yield f"tests/graders/{name}: {kind} answers: there are {count}, of at least {least}"


def _unserved(stem: str, root: Path) -> Iterator[str]:
    """Objectives that nothing asks for; exercises and questions that the chapter or its lesson does not lead to."""
    texts = dict(_texts(stem, root))
    page, day = texts.get(f"book/{stem}.md", ""), texts.get(f"book/days/{stem}.md", "")
    names = [f"{stem}/{folder.name}" for folder in exercise_folders(stem, root)]
    asked = {item.get("objective") for item in _entries(root / "book" / "quizzes" / f"{stem}.yml", "questions")}
    trained = {objective_of(folder) for folder in exercise_folders(stem, root)}
    for aim in objectives(stem, root):
        if aim not in asked:
            yield f"book/quizzes/{stem}.yml: no question for the objective {aim}"
        if aim not in trained:
            yield f"exercises/{stem}: no exercise for the objective {aim}"
    for name in names:
        if not re.search(rf"\{{practice\}} +{name}$", page, flags=re.M):
            yield f"book/{stem}.md: no box for the exercise {name}: ```{{practice}} {name}"
    labels = [f"practice-{re.sub('[/_]', '-', name)}" for name in names]
    for label in [*labels, *(f"quiz-{name}" for name in questions(stem, root))]:
        if day and not re.search(rf"[`<]{label}[>`]", day):
            yield f"book/days/{stem}.md: no place for {{ref}}`{label}`"


def questions(stem: str, root: Path = ROOT) -> list[str]:
    """The ids of the questions in a chapter's quiz."""
    return [
        str(item["id"]) for item in _entries(root / "book" / "quizzes" / f"{stem}.yml", "questions") if "id" in item
    ]


def objective_of(folder: Path) -> str:
    """The objective that an exercise says it is for; read and not run, for it may not run yet."""
    said = re.search(r'^    objective="([^"]+)"', (folder / "check.py").read_text(encoding="utf-8"), flags=re.M)
    return said[1] if said else ""


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
