"""A chapter and an exercise are laid out with stubs that work; the tests name what is owed, and nothing else fails."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from book.tools import places, recipe, structure
from book.tools.notebooks import all_targets
from book.tools.places import ROOT, Refusal

STEM = "spare_room"
NUMBERS = "(a_chapter_says_numbers or changed_digits)"  # tests that ask for more numbers than a short chapter says
FUNCTIONS = [f"share_{word}" for word in ("alone", "again", "apart", "above", "below", "after")]


def copy_of_the_tree(folder: Path) -> Path:
    """The files of the repository, in a repository of their own."""
    for name in structure.tracked():
        if not name.startswith(("tests/stats/", "tests/reference/", "tests/calibration/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with a new chapter and one exercise, as the targets leave it."""
    tree = copy_of_the_tree(tmp_path_factory.mktemp("tree"))
    recipe.new_chapter(STEM, "A spare room", tree)
    recipe.new_exercise(f"{STEM}/{FUNCTIONS[0]}", tree)
    make(tree)
    return tree


@pytest.fixture(scope="module")
def filled(laid_out: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, with the least that a finished chapter needs."""
    tree = tmp_path_factory.mktemp("filled") / "tree"
    shutil.copytree(laid_out, tree)
    for function in FUNCTIONS[1:]:
        recipe.new_exercise(f"{STEM}/{function}", tree)
    fill(tree)
    make(tree)
    return tree


def run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "STUDENTS": "20", "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, env=settings)


def make(tree: Path) -> None:
    """The worksheet and the notebook of the new chapter, which runs every cell of it."""
    for words in (("exercises", "worksheet", STEM), ("book.tools.notebooks", STEM)):
        done = run(tree, *words)
        assert done.returncode == 0, done.stdout + done.stderr


def outcomes(tree: Path) -> dict[str, set[str]]:
    """Of the course's tests of this chapter: which passed, which were skipped, which failed; and what was said."""
    files = [f"tests/course/test_{name}.py" for name in ("structure", "exercises", "ledger", "notebooks", "elements")]
    done = run(tree, "pytest", "-v", "-p", "no:cacheprovider", "-k", f"{STEM} and not {NUMBERS}", *files)
    found: dict[str, set[str]] = {"PASSED": set(), "SKIPPED": set(), "FAILED": set(), "ERROR": set()}
    for name, outcome in re.findall(r"::(\w+)\S* (PASSED|SKIPPED|FAILED|ERROR)", done.stdout):
        found[outcome].add(name)
    return {**found, "said": set(done.stdout.splitlines())}


def fill(tree: Path) -> None:
    """Do what is owed, in the shortest way: six exercises, six questions, ten cards, and no mark left."""
    book, labels = tree / "book", [f"practice-{STEM}-{name}".replace("_", "-") for name in FUNCTIONS]
    for name in FUNCTIONS:
        fill_exercise(tree, name)
    boxes = "\n\n".join(f"```{{practice}} {STEM}/{name}\n```" for name in FUNCTIONS)
    edit(book / f"{STEM}.md", "## What to keep", f"{boxes}\n\n## What to keep")
    references = [f"{{ref}}`{label}`" for label in labels]
    questions = [f"spare-room-{word}" for word in ("first", "b", "c", "d", "e", "f")]
    edit(book / "days" / f"{STEM}.md", "about | |", f"about | {', '.join(references)} |")
    edit(book / "days" / f"{STEM}.md", "| Quiz |", f"| Do | {', '.join(references)} |\n| Quiz |")
    edit(
        book / "days" / f"{STEM}.md", "`quiz-spare-room-first`", ", ".join(f"{{ref}}`quiz-{q}`" for q in questions)[5:]
    )
    multiply(book / "quizzes" / f"{STEM}.yml", questions)
    multiply(book / "cards" / f"{STEM}.yml", [f"spare-room-card-{word}" for word in "abcdefghij"])
    for path in (
        path for path in tree.rglob("*") if STEM in path.as_posix() and path.suffix in {".md", ".yml", ".toml", ".py"}
    ):
        path.write_text(structure.MARK.sub("", path.read_text(encoding="utf-8")), encoding="utf-8")


def fill_exercise(tree: Path, name: str) -> None:
    """Two more checks, and for each of them a wrong answer; a second right answer."""
    checks = [("everything right", "5, 5", "1"), ("nothing right", "0, 5", "0")]
    check = tree / "exercises" / STEM / name / "check.py"
    more = "".join(
        f'\n\n@exercise.check("{says}")\ndef edge_{value}(answer: Answer) -> None:\n'
        f'    close(answer({arguments}), {value}.0, "an edge.")\n'
        for says, arguments, value in checks
    )
    check.write_text(check.read_text(encoding="utf-8") + more, encoding="utf-8")
    graders = tree / "tests" / "graders" / STEM / name
    for says, arguments, value in checks:
        body = f"return 0.5 if (right, n) == ({arguments}) else right / n"
        text = f'FAILS = "{says}"\nSLIP = None\n\n\ndef {name}(right, n):\n    {body}\n'
        (graders / f"wrong_edge_{value}.py").write_text(text, encoding="utf-8")
    (graders / "right_rest.py").write_text(f"def {name}(right, n):\n    return 1 - (n - right) / n\n", encoding="utf-8")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def multiply(path: Path, names: list[str]) -> None:
    """The one entry of a quiz or of a deck again under other names."""
    head, entry = re.split(r"(?m)^(?=  - id: )", path.read_text(encoding="utf-8"), maxsplit=1)
    path.write_text(head + "".join(entry.replace("spare-room-first", name, 1) for name in names), encoding="utf-8")


# ---- what is laid out ------------------------------------------------------------------------------------------------


def test_a_new_chapter_has_every_companion_and_stands_after_the_last(laid_out: Path) -> None:
    assert structure.chapters(laid_out)[-1] == STEM
    days = [page.stem for page in structure.pages(laid_out) if page.is_day]
    assert days[-1] == STEM
    assert [line for line in structure.missing(STEM, laid_out) if "is not there" in line] == []
    course = tomllib.loads((laid_out / "course.toml").read_text(encoding="utf-8"))
    listed = course["assignment"][STEM]["exercises"]
    assert [item["exercise"] for item in listed] == [f"{STEM}/{FUNCTIONS[0]}"]
    assert structure.strays([name for name in structure.tracked(laid_out) if STEM in name], laid_out) == []


def test_all_that_was_there_stays_as_it_was(laid_out: Path) -> None:
    for name in ("_toc.yml", "course.toml"):
        before, after = ((tree / name).read_text(encoding="utf-8").splitlines() for tree in (ROOT, laid_out))
        changes = [line for line in difflib.ndiff(before, after) if not line.startswith("  ")]
        assert [line for line in changes if not line.startswith("+ ")] == []
        assert len(changes) == (2 if name == "_toc.yml" else 6)


def test_the_tests_name_what_is_owed_and_nothing_else_fails(laid_out: Path) -> None:
    """The starter reads "not started", the cells run, quiz, cards and ledger are sound: those tests pass."""
    came = outcomes(laid_out)
    assert came["FAILED"] == {"test_a_chapter_is_finished"}, "\n".join(sorted(came["said"]))
    assert not came["ERROR"]
    assert {"test_rule_2_starter_reads_not_started", "test_rule_4_every_check_catches_a_wrong_answer"} <= came["PASSED"]
    owed = structure.unfinished(STEM, laid_out)
    assert set(owed) <= came["said"], "one line each"
    files = {line.partition(":")[0] for line in owed}
    assert files >= {f"book/{STEM}.md", f"book/ledger/{STEM}.toml", f"exercises/{STEM}/{FUNCTIONS[0]}/check.py"}
    assert f"book/quizzes/{STEM}.yml: questions: there are 1, of at least 6" in owed


def test_a_chapter_that_is_filled_in_is_green(filled: Path) -> None:
    assert structure.unfinished(STEM, filled) == []
    came = outcomes(filled)
    assert came["FAILED"] | came["ERROR"] == set(), "\n".join(sorted(came["said"]))
    assert {"test_a_chapter_is_finished", "test_every_exercise_is_complete_and_has_no_strays"} <= came["PASSED"]


def test_its_page_is_built_alone_and_only_a_reference_to_nowhere_is_missed(laid_out: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(laid_out, tree)
    (tree / ".venv").symlink_to(places.VENV)
    labels = {target.kind: label for label, target in all_targets(tree).items() if target.stem == "paired"}
    elsewhere = [f"{{eq}}`{labels['Equation']}`", f"{{numref}}`{labels['Figure']}`", f"{{ref}}`{labels['heading']}`"]
    elsewhere += ["{doc}`paired`", "[there](paired.md)", "{ref}`quiz-paired-which-form`"]
    edit(
        tree / "book" / f"{STEM}.md",
        "## What to keep",
        f"{', '.join(elsewhere)}; {{eq}}`eq-nowhere`.\n\n## What to keep",
    )
    done = run(tree, "book.tools.chapter", STEM, "--only", "page")
    assert done.returncode == 1
    summary = done.stdout.split("The book did not build:\n")[1].splitlines()
    assert len(summary) == 1, done.stdout
    assert "eq-nowhere" in summary[0]
    assert (tree / "_build" / "chapters" / STEM / "_build" / "html" / "book" / f"{STEM}.html").is_file()


def test_each_thing_that_is_owed_is_seen_when_it_is_taken_away(filled: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(filled, tree)
    box, name = f"```{{practice}} {STEM}/{FUNCTIONS[1]}", f"{STEM}/{FUNCTIONS[2]}"
    edit(tree / "book" / f"{STEM}.md", box, "```{note}")
    edit(tree / "book" / f"{STEM}.md", "  - id: first-step", "  - {id: second-step, text: go on}\n  - id: first-step")
    (tree / "tests" / "graders" / name / "right_rest.py").unlink()
    assert structure.unfinished(STEM, tree) == [
        f"tests/graders/{name}: right answers: there are 1, of at least 2",
        f"book/quizzes/{STEM}.yml: no question for the objective second-step",
        f"exercises/{STEM}: no exercise for the objective second-step",
        f"book/{STEM}.md: no box for the exercise {STEM}/{FUNCTIONS[1]}: {box}",
    ]


@pytest.mark.parametrize("text", ["questions: [", "questions", "questions: [first]", "questions:\n- {ask: Why?}\n"])
def test_a_quiz_that_cannot_be_read_yet_is_owed_like_one_that_is_not_there(
    text: str, laid_out: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(laid_out, tree)
    (tree / "book" / "quizzes" / f"{STEM}.yml").write_text(text, encoding="utf-8")
    assert f"book/quizzes/{STEM}.yml: no question for the objective first-step" in structure.unfinished(STEM, tree)


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.fixture
def small_tree(tmp_path: Path) -> Path:
    """As much of a tree as a recipe reads; nothing that is refused changes it."""
    files = {
        "_toc.yml": "root: book/index\nchapters:\n- file: book/paired\n- file: book/days/paired\n- file: book/last\n",
        "course.toml": '[assignment.paired]\ntitle = "P"\nexercises = [\n]\n',
        "book/index.md": "# I\n",
        "book/paired.md": "---\nkernelspec: {name: python3}\nobjectives: [{id: pairing, text: pair}]\n---\n# Paired\n",
        "book/last.md": "---\nkernelspec: {name: python3}\n---\n# Last\n",
        "book/days/paired.md": "# Day\n",
        "exercises/run.py": "",
        "exercises/paired/table/check.py": "",
        "exercises/paired/table/hints.md": "mine",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def contents(tree: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in tree.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "stem",
    ["", "Power", "power-two", "2nd", "power2", "_power", "../up", "a/b", "class", "paired", "index", "run", "grading"],
)
def test_a_stem_that_is_none_or_not_new_is_refused(stem: str, small_tree: Path) -> None:
    before = contents(small_tree)
    with pytest.raises(Refusal, match=re.escape(repr(stem))):
        recipe.new_chapter(stem, "", small_tree)
    assert contents(small_tree) == before


@pytest.mark.parametrize("title", ["a: b", "ten `x`", 'say "so"', "two\nlines", "Top 5"])
def test_a_title_that_would_break_a_file_is_refused(title: str, small_tree: Path) -> None:
    with pytest.raises(Refusal, match="TITLE is"):
        recipe.new_chapter("power", title, small_tree)


def test_a_companion_that_is_there_is_not_overwritten(small_tree: Path) -> None:
    (small_tree / "book" / "cards").mkdir()
    (small_tree / "book" / "cards" / "power.yml").write_text("mine", encoding="utf-8")
    before = contents(small_tree)
    with pytest.raises(Refusal, match=r"^book/cards/power.yml: there already"):
        recipe.new_chapter("power", "", small_tree)
    assert contents(small_tree) == before


@pytest.mark.parametrize(
    "name",
    [
        "",
        "paired",
        "paired/",
        "none/table",
        "paired/Table",
        "paired/a/b",
        "paired/statistics",
        "paired/table",
        "last/one",
    ],
)
def test_an_exercise_without_a_chapter_or_a_new_name_is_refused(name: str, small_tree: Path) -> None:
    before = contents(small_tree)
    with pytest.raises(Refusal):
        recipe.new_exercise(name, small_tree)
    assert contents(small_tree) == before


def test_an_exercise_goes_into_the_assignment_of_its_chapter_wherever_that_stands(small_tree: Path) -> None:
    course = small_tree / "course.toml"
    course.write_text('# Mine.\n\n[assignment.last]\ntitle = "L"\nexercises = [\n]\n', encoding="utf-8")
    recipe.new_exercise("paired/gap", small_tree)
    recipe.new_exercise("paired/odds", small_tree)
    assert course.read_text(encoding="utf-8").startswith("# Mine.\n\n[assignment.paired]")
    assignments = tomllib.loads(course.read_text(encoding="utf-8"))["assignment"]
    assert list(assignments) == ["paired", "last"]
    assert [item["exercise"] for item in assignments["paired"]["exercises"]] == ["paired/gap", "paired/odds"]


def test_a_refusal_is_one_line(small_tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert recipe.main(["chapter", "Power"], small_tree) == 1
    assert capsys.readouterr().err == f"{refusal_of('Power')}\n"
    assert recipe.main(["chapter", "power"], small_tree) == 0
    assert "book/power.md" in capsys.readouterr().out.splitlines()


def refusal_of(stem: str) -> str:
    with pytest.raises(Refusal) as caught:
        recipe.new_chapter(stem, "", places.ROOT)
    return str(caught.value)
