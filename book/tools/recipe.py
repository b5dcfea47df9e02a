"""Lay out a new chapter or a new exercise: every companion, with stubs that work and say what is owed.

    python -m book.tools.recipe chapter power --title "How many items"
    python -m book.tools.recipe exercise power/sample_size

What is there already is never overwritten.
Afterwards the tests call it unfinished, with one line for each thing that is owed.
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from book.tools import structure, stubs
from book.tools.places import ROOT, Refusal
from exercises.expect import GENERAL_SLIPS

WORDS = re.compile(r"[a-z]+(?:_[a-z]+)*")
RESERVED = {"grading", "all"}  # a folder of the exercises that is no chapter; the cards of all chapters


# ---- a chapter -------------------------------------------------------------------------------------------------------


def new_chapter(stem: str, title: str = "", root: Path = ROOT) -> list[str]:
    """Lay out a chapter after the last one; the paths that were written or changed."""
    _must_be_a_name("STEM", stem)
    if stem in RESERVED | {page.stem for page in structure.pages(root)}:
        raise Refusal(f"STEM is {stem!r}, which names something else already; it must be a new name.")
    if any((root / "exercises" / name).exists() for name in (stem, f"{stem}.py")):
        raise Refusal(f"STEM is {stem!r}, and exercises/ has that already; it must be a new name.")
    title = title.strip() or stem.replace("_", " ").capitalize()
    if not re.fullmatch(r"[^\n:#'\"`\\{}]+", title) or re.search(r"\d", title):
        raise Refusal(f"TITLE is {title!r}; it must be one line of words, without quotes, colons, braces and digits.")
    words = {"STEM": stem, "LABEL": stem.replace("_", "-"), "TITLE": title, "SLIP": GENERAL_SLIPS[0]}
    toc, course = root / "_toc.yml", root / "course.toml"
    entered = _entered(toc.read_text(encoding="utf-8"), stem, structure.chapters(root))
    written = _write(stubs.CHAPTER, words, root)
    toc.write_text(entered, encoding="utf-8")
    course.write_text(_with_assignment(course.read_text(encoding="utf-8"), stem, title, []), encoding="utf-8")
    return [*written, "_toc.yml", "course.toml"]


def _entered(toc: str, stem: str, chapters: list[str]) -> str:
    """The table of contents with a chapter and its lesson, each after the last one's; the rest as it was written."""
    lines = toc.splitlines()
    for folder in ("book", "book/days"):
        entries = [f"- file: {folder}/{chapter}" for chapter in chapters]
        places = [place for place, line in enumerate(lines) if line.strip() in entries]
        if not places:
            raise Refusal(f"_toc.yml has no line `- file: {folder}/<chapter>` after which a new one could stand.")
        indent = lines[places[-1]].partition("-")[0]
        lines.insert(places[-1] + 1, f"{indent}- file: {folder}/{stem}")
    return "\n".join(lines) + "\n"


def _with_assignment(course: str, stem: str, title: str, later: list[str]) -> str:
    """The course with an assignment of this chapter: before the first chapter that comes later, else at the end."""
    if _header(stem) in course.splitlines():
        return course
    new = f'{_header(stem)}\ntitle = "{title}"\nexercises = [\n]\n'
    for other in later:
        before, header, after = f"\n{course}".partition(f"\n{_header(other)}\n")
        if header:
            return f"{before.lstrip()}\n{new}{header}{after}"
    return f"{course.rstrip()}\n\n{new}"


def _header(stem: str) -> str:
    return f"[assignment.{stem}]"


# ---- an exercise -----------------------------------------------------------------------------------------------------


def new_exercise(name: str, root: Path = ROOT) -> list[str]:
    """Lay out an exercise of a chapter, last in its assignment; the paths that were written or changed."""
    stem, _, function = name.partition("/")
    stems = structure.chapters(root)
    if stem not in stems or not function:
        raise Refusal(f"NAME is {name!r}; it must be chapter/exercise, and the chapters are {', '.join(stems)}.")
    _must_be_a_name("NAME", function)
    if function in sys.stdlib_module_names:
        raise Refusal(f"NAME is {name!r}, and Python has a module {function!r}; take another name.")
    page = root / "book" / f"{stem}.md"
    aims = structure.objectives(stem, root)
    if not aims:
        raise Refusal(f"{page.relative_to(root)} has no objectives yet, and an exercise needs one.")
    trained = {structure.objective_of(folder) for folder in structure.exercise_folders(stem, root)}
    objective = next((aim for aim in aims if aim not in trained), aims[0])
    heading = re.search(r"^# (.+)$", page.read_text(encoding="utf-8").partition("\n---\n")[2], flags=re.M)
    course, later = root / "course.toml", stems[stems.index(stem) + 1 :]
    chapter = _with_assignment(course.read_text(encoding="utf-8"), stem, heading[1] if heading else stem, later)
    listed = _listing(chapter, stem, name)
    title = function.replace("_", " ").capitalize()
    written = _write(stubs.EXERCISE, {"STEM": stem, "FUNCTION": function, "TITLE": title, "OBJECTIVE": objective}, root)
    course.write_text(listed, encoding="utf-8")
    return [*written, "course.toml"]


def _listing(course: str, stem: str, name: str) -> str:
    """The course with an exercise at the end of its chapter's assignment."""
    before, header, after = course.partition(f"{_header(stem)}\n")
    listed, end, rest = after.partition("\n]")
    if not end or "\n[" in listed:
        raise Refusal(
            f"In course.toml the exercises of {_header(stem)} do not end in a line `]`: enter {name} by hand."
        )
    return f'{before}{header}{listed}\n    {{ exercise = "{name}", points = 2 }},{end}{rest}'


# ---- both ------------------------------------------------------------------------------------------------------------


def _must_be_a_name(what: str, word: str) -> None:
    if not WORDS.fullmatch(word) or keyword.iskeyword(word):
        raise Refusal(f"{what} is {word!r}; it must be of small letters, with _ between words, and no word of Python.")


def _write(files: Mapping[str, str], words: Mapping[str, str], root: Path) -> list[str]:
    """Write the stubs with their names filled in, all or none."""
    filled = {_filled(path, words): _filled(text, words) for path, text in files.items()}
    if present := [path for path in filled if (root / path).exists()]:
        raise Refusal(f"{', '.join(present)}: there already, and nothing is overwritten.")
    for path, text in filled.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return list(filled)


def _filled(text: str, words: Mapping[str, str]) -> str:
    return re.sub(r"\b({})\b".format("|".join(words)), lambda word: words[word[1]], text)


# ---- command line ----------------------------------------------------------------------------------------------------


def main(arguments: Iterable[str] | None = None, root: Path = ROOT) -> int:
    """Lay out one thing and say what was written; 1 if it is refused, with the reason in one line."""
    command = argparse.ArgumentParser(
        prog="python -m book.tools.recipe", description="Lay out a chapter or an exercise."
    )
    command.add_argument("kind", choices=("chapter", "exercise"))
    command.add_argument("name", help="a stem, or chapter/exercise")
    command.add_argument("--title", default="", help="of a chapter")
    options = command.parse_args(None if arguments is None else list(arguments))
    try:
        chapter = options.kind == "chapter"
        written = new_chapter(options.name, options.title, root) if chapter else new_exercise(options.name, root)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    print("\n".join(written))
    return 0


if __name__ == "__main__":
    sys.exit(main())
