"""Sphinx extension: the directive `practice`, the box of one exercise.

The box has the statement, the starter, how to check an answer, the hints and the model answer, the last two folded.
In the notebooks of the chapters book/tools/notebook_cells.py makes cells of it that can be filled in and run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from docutils import nodes
from sphinx.application import Sphinx

from book.tools.elements import CourseDirective, HtmlTag, tag, words
from exercises import catalogue
from exercises.exercise import Exercise


class PracticeBox(nodes.admonition):
    """The box of an exercise, as it stands on a page."""


class Practice(CourseDirective):
    """`{practice} chapter/exercise`: the box of an exercise, numbered by its place on the page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        try:
            exercise = catalogue.load(self.arguments[0])
        except ValueError as error:
            raise self.error(str(error)) from error
        name = exercise.name
        self.depends_on(
            *(catalogue.PACKAGE / name / file for file in ("check.py", "statement.md", "starter.py", "hints.md"))
        )
        title = f"Exercise {self.env.new_serialno('practice') + 1}: {exercise.title}"
        statement, starter = catalogue.text(name, "statement.md"), catalogue.text(name, "starter.py")
        box = PracticeBox("", nodes.title("", title), classes=["practice"], ids=[catalogue.anchor(name)])
        box += [
            *self.markdown(statement),
            code(starter),
            self.how_to_check(exercise),
            *self.hints(name),
            self.solution(name),
        ]
        self.set_source_info(box)
        self.state.document.note_explicit_target(box)
        self.can_be_referred_to(catalogue.anchor(name), title)
        return [box]

    def how_to_check(self, exercise: Exercise) -> nodes.Node:
        start, check = (f"python -m exercises {verb} {exercise.name}" for verb in ("start", "check"))
        lines = (
            f"In your worksheet (`make lab`) or another notebook: `import exercises`, then `{check_call(exercise)}`.",
            f"In a terminal: `{start}`, then `{check}`.",
        )
        items = [nodes.list_item("", *self.markdown(line)) for line in lines]
        return nodes.bullet_list("", *items, classes=["practice-check"])

    def hints(self, name: str) -> list[HtmlTag]:
        return [
            fold(f"Hint {level}: {title}", *self.markdown(text))
            for level, (title, text) in enumerate(catalogue.hints(name), start=1)
        ]

    def solution(self, name: str) -> HtmlTag:
        path = cast(Path, catalogue.solution_file(name))
        self.depends_on(path)
        return fold("Solution", code(path.read_text(encoding="utf-8")))


def check_call(exercise: Exercise) -> str:
    return f'exercises.check("{exercise.name}", {exercise.function})'


def code(text: str) -> nodes.literal_block:
    return nodes.literal_block(text.strip(), text.strip(), language="python")


def fold(summary: str, *children: nodes.Node) -> HtmlTag:
    return tag("details", words("summary", summary), *children, class_="practice-fold")


def visit_box(translator: Any, node: PracticeBox) -> None:
    translator.visit_admonition(node)


def depart_box(translator: Any, node: PracticeBox) -> None:
    translator.depart_admonition(node)


def setup(app: Sphinx) -> dict[str, Any]:
    app.setup_extension("book.tools.elements")
    app.add_node(PracticeBox, html=(visit_box, depart_box))
    app.add_directive("practice", Practice)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
