"""Every chapter has its companions, nothing lies about, and every name leads somewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from book.tools import structure
from book.tools.notebooks import all_targets
from book.tools.places import ROOT
from book.tools.structure import chapters, exercise_folders, objectives, pages
from exercises import catalogue

CHAPTERS = chapters()
BOOK = ROOT / "book"


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def directive_arguments(text: str, name: str) -> list[str]:
    """The arguments of every directive of this name in a page."""
    return re.findall(rf"^[ \t>]*[`:]{{3,}}\{{{name}\}}[ \t]+(\S+)", text, flags=re.M)


def values(node: Any, key: str) -> Iterator[str]:
    """All values of a key anywhere in YAML."""
    if isinstance(node, dict):
        yield from (str(value) for name, value in node.items() if name == key)
        for value in node.values():
            yield from values(value, key)
    elif isinstance(node, list):
        for item in node:
            yield from values(item, key)


def test_the_course_has_chapters() -> None:
    assert CHAPTERS, "no chapter stands in _toc.yml"


def test_every_entry_of_the_table_of_contents_is_a_page() -> None:
    entries = re.findall(r"(?:file|root):\s*(\S+)", read(ROOT / "_toc.yml"))
    assert len(entries) == len(pages())
    stems = Counter(page.stem for page in pages() if page.source.parent != BOOK / "days")
    assert max(stems.values()) == 1, "one stem names one page"


@pytest.mark.parametrize("stem", CHAPTERS)
def test_a_chapter_is_finished(stem: str) -> None:
    """Its companions are there, and nothing is owed."""
    if owed := structure.unfinished(stem):
        pytest.fail("\n".join([f"{stem} is unfinished:", *owed]), pytrace=False)


def finished(stem: str) -> None:
    """Go on only with a chapter that is: one that is not has been named above, with all that it owes."""
    if structure.unfinished(stem):
        pytest.skip(f"{stem} is unfinished, as test_a_chapter_is_finished says")


def test_exemptions_name_chapters_and_companions_and_give_a_reason() -> None:
    for (stem, what), reason in structure.EXEMPTIONS.items():
        assert stem in CHAPTERS
        assert what in structure.companions(stem)
        assert len(reason.split()) >= 4


def test_a_missing_companion_is_seen(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "_toc.yml").write_text("root: book/index\nchapters: [{file: book/lonely}]\n", encoding="utf-8")
    (tmp_path / "book" / "index.md").write_text("# First page\n", encoding="utf-8")
    (tmp_path / "book" / "lonely.md").write_text("---\nkernelspec: {name: python3}\n---\n# Lonely\n", encoding="utf-8")
    assert chapters(tmp_path) == ["lonely"]
    lacking = " ".join(structure.missing("lonely", tmp_path))
    for what in ("notebook", "ledger", "quiz", "cards", "day", "worksheet", "exercise"):
        assert what in lacking


def test_there_are_no_strays() -> None:
    assert structure.strays(structure.tracked()) == []


@pytest.mark.parametrize(
    "name",
    ["notes.txt", "book/old.md", "book/notebooks/old.ipynb", "book/ledger/old.toml", "exercises/x/y/check.py",
     "tests/evalstats/test_x.py", "solutions/paired/none.py", "book/01_intro.md"],
)  # fmt: skip
def test_a_stray_is_seen(name: str) -> None:
    assert structure.strays([name]) == [name]


def test_no_path_carries_a_number_that_orders_it() -> None:
    ordered = re.compile(r"(?:^|/)(?:ch|chapter|day|lesson|week)?_?\d+[_-]")
    assert [name for name in structure.tracked() if ordered.search(name)] == []


# ---- names lead somewhere --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stem", CHAPTERS)
def test_exercises_boxes_and_objectives_of_a_chapter_agree(stem: str) -> None:
    finished(stem)
    boxes = directive_arguments(read(BOOK / f"{stem}.md"), "practice")
    names = [f"{stem}/{folder.name}" for folder in exercise_folders(stem)]
    assert sorted(boxes) == sorted(names), "each exercise has one box in its chapter"
    aims = objectives(stem)
    assert aims
    assert len(aims) == len(set(aims))
    by_exercise = {catalogue.load(name).objective for name in names}
    by_quiz = set(values(read_yaml(BOOK / "quizzes" / f"{stem}.yml"), "objective"))
    assert by_exercise == set(aims), "every objective has an exercise, and every exercise an objective"
    assert by_quiz == set(aims), "every objective has a question, and every question an objective"


@pytest.mark.parametrize("stem", CHAPTERS)
def test_quiz_and_cards_are_large_enough_and_their_ids_are_their_own(stem: str) -> None:
    finished(stem)
    quiz, cards = read_yaml(BOOK / "quizzes" / f"{stem}.yml"), read_yaml(BOOK / "cards" / f"{stem}.yml")
    assert quiz["chapter"] == cards["chapter"] == stem
    assert len(quiz["questions"]) >= structure.QUESTIONS_A_QUIZ_HAS
    assert len(cards["cards"]) >= structure.CARDS_A_CHAPTER_HAS
    ids = [item["id"] for item in [*quiz["questions"], *cards["cards"]]]
    assert len(ids) == len(set(ids))


def slips_named() -> dict[str, set[str]]:
    """Misconception -> where it is named: in boxes, quizzes, wrong answers and checks."""
    named: dict[str, set[str]] = {}

    def note(slip: str, where: str) -> None:
        named.setdefault(slip, set()).add(where)

    for page in pages():
        for slip in directive_arguments(read(page.source), "slip"):
            note(slip, page.source.name)
    for path in (BOOK / "quizzes").glob("*.yml"):
        for slip in values(read_yaml(path), "slip"):
            note(slip, f"quizzes/{path.name}")
    for path in (ROOT / "tests" / "graders").glob("*/*/wrong_*.py"):
        for slip in re.findall(r'^SLIP = "([^"]+)"', read(path), flags=re.M):
            note(slip, path.name)
    for name in catalogue.names():
        for slip in catalogue.load(name).diagnoses:
            note(slip, name)
    return named


def test_every_misconception_that_is_named_is_in_the_catalogue_and_every_entry_is_named() -> None:
    catalogued = set(read_yaml(BOOK / "misconceptions.yml"))
    named = slips_named()
    assert {slip: where for slip, where in named.items() if slip not in catalogued} == {}
    assert catalogued - set(named) == set()


def test_every_wrong_answer_of_a_grader_names_its_misconception_or_says_that_it_has_none() -> None:
    wrong = list((ROOT / "tests" / "graders").glob("*/*/wrong_*.py"))
    assert wrong
    assert [path.name for path in wrong if not re.search(r'^SLIP = ("[^"]+"|None)$', read(path), flags=re.M)] == []


def test_every_label_that_is_referred_to_exists_and_is_given_once() -> None:
    targets = all_targets()
    role = re.compile(r"\{(?:eq|numref|ref)\}`(?:[^`<]*<)?([\w:-]+)>?`")
    texts = [page.source for page in pages()] + [
        path for f in ("quizzes", "cards") for path in (BOOK / f).glob("*.yml")
    ]
    texts += list((ROOT / "exercises").glob("*/*/*.md"))
    referred = [(path.name, label) for path in texts for label in role.findall(read(path))]
    assert referred
    boxes = {catalogue.anchor(name) for name in catalogue.names()}
    questions = {f"quiz-{item['id']}" for path in BOOK.glob("quizzes/*.yml") for item in read_yaml(path)["questions"]}
    assert [item for item in referred if item[1] not in {*targets} | boxes | questions] == []
    given = [label for page in pages() for label in re.findall(r"^\(([\w:-]+)\)=", read(page.source), flags=re.M)]
    assert [label for label, count in Counter(given).items() if count > 1] == []


def test_every_citation_is_in_the_bibliography_and_every_entry_is_cited() -> None:
    keys = set(re.findall(r"^@\w+\{([^,\s]+)", read(BOOK / "references.bib"), flags=re.M))
    texts = [page.source for page in pages()] + list((BOOK / "ledger").glob("*.toml"))
    cited = {
        key.strip()
        for path in texts
        for group in re.findall(r"\{cite(?::\w+)?\}`([^`]+)`|\[@([\w:.-]+)\]", read(path))
        for key in (group[0] or group[1]).split(",")
    }
    assert cited - keys == set()
    assert keys - cited == set()


@pytest.mark.parametrize("stem", CHAPTERS)
def test_the_day_page_names_exercises_and_questions_that_exist(stem: str) -> None:
    finished(stem)
    text = read(BOOK / "days" / f"{stem}.md")
    questions = {item["id"] for item in read_yaml(BOOK / "quizzes" / f"{stem}.yml")["questions"]}
    exercises = {name for name in catalogue.names(stem)}
    goals, hours = re.split(r"^## The two hours$", text, flags=re.M)
    for part in (goals, hours):
        assert labels(part, "practice-") == {catalogue.anchor(name) for name in exercises}, "a place for each exercise"
    assert labels(text, "quiz-") == {f"quiz-{question}" for question in questions}
    unlinked = [f"`{name}`" for name in exercises | questions]
    assert [name for name in unlinked if name in goals + hours] == [], "a name that a reader cannot follow"


def labels(text: str, prefix: str) -> set[str]:
    """The labels that `{ref}` names in a text."""
    return set(re.findall(rf"\{{ref\}}`(?:[^`<]*<)?({prefix}[\w-]+)>?`", text))


def test_links_between_pages_lead_to_pages() -> None:
    broken = []
    for page in pages():
        for address in re.findall(r"\]\(([^)#\s]+\.md)(?:#[\w-]+)?\)", read(page.source)):
            if not (page.source.parent / address).is_file():
                broken.append((page.source.name, address))
        for address in re.findall(r"\{doc\}`(?:[^`<]*<)?([^`<>]+)>?`", read(page.source)):
            target = BOOK / address.lstrip("/") if address.startswith("/") else page.source.parent / address
            if not target.with_suffix(".md").is_file():
                broken.append((page.source.name, address))
    assert broken == []
