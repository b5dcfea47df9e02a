"""Sphinx extension: the directives `quiz`, `cards`, `widget` and `slip`.

A quiz, a set of cards and a widget are custom elements (book/widgets). What the elements need is written into the page
itself, so that it can be read without scripts and in print; the script only brings it to life. In the notebooks of the
chapters book/tools/notebook_cells.py writes what stands for them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any, ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from book.tools import course_yaml, structure, widget_static

ALL = "all"  # no chapter may be called so

# ---- Nodes -----------------------------------------------------------------------------------------------------------


class HtmlTag(nodes.General, nodes.Element):
    """An HTML element that docutils has no node for; `tag` and `attrs` say which."""


class SlipLink(nodes.Inline, nodes.Element):
    """A link to the "common slip" box of a misconception, where the book has one."""


def tag(name: str, *children: nodes.Node, **attrs: str) -> HtmlTag:
    """An HTML element; `class_` stands for class, and an underscore in any other name for a hyphen."""
    return HtmlTag("", *children, tag=name, attrs=_html_names(attrs))


def words(name: str, text: str, **attrs: str) -> HtmlTag:
    return tag(name, nodes.Text(text), **attrs)


def _html_names(attrs: dict[str, str]) -> dict[str, str]:
    return {"class" if key == "class_" else key.replace("_", "-"): value for key, value in attrs.items()}


def visit_tag(translator: Any, node: HtmlTag) -> None:
    translator.body.append(translator.starttag(node, node["tag"], "", **node["attrs"]))


def depart_tag(translator: Any, node: HtmlTag) -> None:
    translator.body.append(f"</{node['tag']}>\n")


# ---- Directives ------------------------------------------------------------------------------------------------------


class CourseDirective(SphinxDirective):
    """A directive that reads course files and renders the Markdown in them."""

    @property
    def folder(self) -> Path:
        return Path(self.env.srcdir, str(self.config.elements_folder))

    def depends_on(self, *paths: Path) -> None:
        for path in paths:
            self.env.note_dependency(str(path))

    def read(self, reader: Callable[..., Any], path: Path, *also: Any) -> Any:
        """A course file; what is wrong with it becomes an error of the page that asked for it."""
        self.depends_on(path)
        try:
            return reader(path, *also)
        except course_yaml.CourseFileError as error:
            raise self.error(str(error)) from error

    def misconceptions(self) -> dict[str, dict[str, str]]:
        path = self.folder / "misconceptions.yml"
        catalogue: dict[str, dict[str, str]] = self.read(course_yaml.read_misconceptions, path)
        return catalogue

    def markdown(self, text: str) -> list[nodes.Node]:
        """Blocks of Markdown (of whatever the page is written in)."""
        box = nodes.Element()
        self.state.nested_parse(StringList(text.splitlines(), self.env.docname), self.content_offset, box)
        return box.children

    def inline(self, text: str) -> list[nodes.Node]:
        """One line of Markdown, without the paragraph around it."""
        blocks = self.markdown(text)
        return blocks[0].children if len(blocks) == 1 and isinstance(blocks[0], nodes.paragraph) else blocks

    def with_id(self, node: HtmlTag, name: str) -> HtmlTag:
        """An element that can be linked to."""
        node["ids"].append(name)
        self.set_source_info(node)
        self.state.document.note_explicit_target(node)
        return node

    def can_be_referred_to(self, label: str, title: str) -> None:
        """`{ref}` finds the element with this id, from any page, and shows the title."""
        domain = cast(StandardDomain, self.env.get_domain("std"))
        domain.labels[label] = (self.env.docname, label, title)
        domain.anonlabels[label] = (self.env.docname, label)


class Quiz(CourseDirective):
    """`{quiz} stem`: the quiz of book/quizzes/stem.yml."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        stem = self.arguments[0]
        self.catalogue = self.misconceptions()
        self.objectives = self.chapter_objectives(stem) or {}
        path = self.folder / "quizzes" / f"{stem}.yml"
        quiz = self.read(course_yaml.read_quiz, path, self.catalogue, self.objectives or None)
        questions = [self.question(place, item) for place, item in enumerate(quiz["questions"], start=1)]
        body = tag("ol", *questions, class_="quiz-questions")
        return [self.with_id(tag("quiz-box", body, data_name=stem), f"quiz-{stem}")]

    def chapter_objectives(self, stem: str) -> dict[str, str] | None:
        page = self.folder / f"{stem}.md"
        self.depends_on(page)
        return course_yaml.chapter_objectives(page)

    def question(self, place: int, item: dict[str, Any]) -> HtmlTag:
        """A question, which `{ref}` finds by the label quiz- and its id, as "Question 2"."""
        ask = tag("div", *self.markdown(item["ask"]), class_="quiz-ask")
        parts = self.choice(item) if item["kind"] == "choice" else self.number(item)
        fingerprint = hashlib.sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()[:8]
        attrs = {"data_id": item["id"], "data_kind": item["kind"], "data_version": fingerprint}
        if item["objective"] in self.objectives:
            attrs["data_objective"] = self.objectives[item["objective"]]
        label = f"quiz-{item['id']}"
        self.can_be_referred_to(label, f"Question {place}")
        return self.with_id(tag("li", ask, *parts, class_="quiz-question", **attrs), label)

    def choice(self, item: dict[str, Any]) -> list[HtmlTag]:
        texts = [tag("div", *self.markdown(option["text"]), class_="quiz-text") for option in item["options"]]
        options = tag("ol", *(tag("li", text) for text in texts), class_="quiz-options", type="A")
        return [options, answer([self.option_why(i, option) for i, option in enumerate(item["options"])])]

    def option_why(self, place: int, option: dict[str, Any]) -> HtmlTag:
        verdict = "right" if "right" in option else "wrong"
        return self.why(f"{ascii_uppercase[place]} is {verdict}.", option, verdict)

    def number(self, item: dict[str, Any]) -> list[HtmlTag]:
        printed = course_yaml.printed
        right = self.why(f"The answer is {printed(item['answer'])}.", item, "right", item["answer"])
        slips = item.get("slips", [])
        wrong = [self.why(f"{printed(slip['value'])} is wrong.", slip, "wrong", slip["value"]) for slip in slips]
        return [answer([right, *wrong])]

    def why(self, head: str, entry: dict[str, Any], verdict: str, value: float | None = None) -> HtmlTag:
        """An explanation: the verdict, the reason, and the misconception behind a wrong answer."""
        attrs = {"class_": "quiz-why", "data_verdict": verdict}
        if value is not None:
            attrs |= {"data_value": str(value), "data_tolerance": str(entry["tolerance"])}
        slip = [self.slip_line(entry["slip"])] if "slip" in entry else []
        because = tag("div", *self.markdown(entry["why"]), class_="quiz-because")
        return tag("div", words("p", head, class_="quiz-verdict"), because, *slip, **attrs)

    def slip_line(self, name: str) -> nodes.paragraph:
        title = nodes.strong("", "", *self.inline(self.catalogue[name]["title"]))
        ask = nodes.inline("", "", *self.inline(self.catalogue[name]["ask"]))
        link = SlipLink("", slip=name, page=self.env.docname)
        says = (nodes.Text("A common slip: "), title, nodes.Text(". "), ask, link)
        return nodes.paragraph("", "", *says, classes=["quiz-slip"])


def answer(whys: Sequence[HtmlTag]) -> HtmlTag:
    return tag("details", words("summary", "Answer"), *whys, class_="quiz-answer")


class Cards(CourseDirective):
    """`{cards} stem`: the flash cards of book/cards/stem.yml; `{cards} all`: those of every chapter."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        rows = [
            self.card(stem, card) for stem in (self.decks() if name == ALL else [name]) for card in self.cards(stem)
        ]
        head = tag("tr", words("th", "Front", scope="col"), words("th", "Back", scope="col"))
        table = tag("table", tag("thead", head), tag("tbody", *rows), class_="cards-list")
        attrs = {"data_all": "true"} if name == ALL else {}
        return [self.with_id(tag("flash-cards", table, data_name=name, **attrs), f"cards-{name}")]

    def decks(self) -> list[str]:
        """The chapters that have cards, in the order of the book; in that of the alphabet where a book has none."""
        there = sorted(path.stem for path in (self.folder / "cards").glob("*.yml"))
        contents = Path(self.env.srcdir, "_toc.yml")
        self.depends_on(contents)
        order = structure.chapters(contents.parent) if contents.is_file() else there
        return [stem for stem in order if stem in there]

    def cards(self, stem: str) -> list[dict[str, str]]:
        cards: list[dict[str, str]] = self.read(course_yaml.read_cards, self.folder / "cards" / f"{stem}.yml")["cards"]
        return cards

    def card(self, stem: str, card: dict[str, str]) -> HtmlTag:
        front = tag("td", *self.markdown(card["front"]), class_="card-front")
        back = tag("td", *self.markdown(card["back"]), class_="card-back")
        return tag("tr", front, back, data_id=card["id"], data_topic=card["topic"], data_deck=stem)


class Widget(CourseDirective):
    """`{widget} name`: an interactive element; the body is the caption of its static form."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = dict.fromkeys("abcd", directives.nonnegative_int)

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in widget_static.WIDGETS:
            raise self.error(f"there is no widget {name!r}; there are {', '.join(sorted(widget_static.WIDGETS))}")
        widget = widget_static.WIDGETS[name]
        if unknown := set(self.options) - set(widget.options):
            raise self.error(f"the widget {name} has no option {', '.join(sorted(unknown))}")
        settings = {**widget.options, **self.options}
        try:
            picture = nodes.raw("", widget.picture(**settings), format="html")
        except ValueError as error:
            raise self.error(f"the widget {name} has no picture of this: {error}") from error
        caption = tag("figcaption", *self.markdown("\n".join(self.content))) if self.content else nodes.Text("")
        figure = tag("figure", picture, caption, class_="el-static el-panel")
        attrs = {f"data_{key}": str(value) for key, value in settings.items()}
        return [tag(widget.element or name, figure, **attrs)]


class Slip(CourseDirective):
    """`{slip} id`: the box "A common slip" of a misconception."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        catalogue = self.misconceptions()
        if name not in catalogue:
            raise self.error(f"misconceptions.yml has no entry {name}")
        entry = catalogue[name]
        box = nodes.admonition("", nodes.title("", "A common slip"), classes=["slip"], ids=[f"slip-{name}"])
        for part in ("say", "ask", "because"):
            box += nodes.container("", *self.markdown(entry[part]), classes=[f"slip-{part}"])
        self.set_source_info(box)
        self.state.document.note_explicit_target(box)
        slip_pages(self.env).setdefault(name, set()).add(self.env.docname)
        return [box]


# ---- Links to slip boxes ---------------------------------------------------------------------------------------------


def slip_pages(env: BuildEnvironment) -> dict[str, set[str]]:
    """Misconception -> the pages that have its box."""
    if not hasattr(env, "elements_slip_pages"):
        env.elements_slip_pages = {}  # type: ignore[attr-defined]
    pages: dict[str, set[str]] = env.elements_slip_pages  # type: ignore[attr-defined]
    return pages


def forget_page(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    for pages in slip_pages(env).values():
        pages.discard(page)


def merge_pages(app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment) -> None:
    for name, pages in slip_pages(other).items():
        slip_pages(env).setdefault(name, set()).update(pages)


class SlipLinks(SphinxPostTransform):
    """A link to the box on the same page, else on the first page that has one, else none."""

    default_priority = 410

    def run(self, **kwargs: Any) -> None:
        for node in list(self.document.findall(SlipLink)):
            pages = sorted(slip_pages(self.env).get(node["slip"], set()))
            if not pages:
                node.parent.remove(node)
                continue
            page = node["page"] if node["page"] in pages else pages[0]
            here = "" if page == node["page"] else self.app.builder.get_relative_uri(node["page"], page)
            link = nodes.reference("", "See the box.", internal=True, refuri=f"{here}#slip-{node['slip']}")
            node.replace_self([nodes.Text(" "), link])


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("elements_folder", "book", "env", [str])
    app.add_node(HtmlTag, html=(visit_tag, depart_tag))
    app.add_node(SlipLink)
    for name, directive in {"quiz": Quiz, "cards": Cards, "widget": Widget, "slip": Slip}.items():
        app.add_directive(name, directive)
    app.add_post_transform(SlipLinks)
    app.connect("env-purge-doc", forget_page)
    app.connect("env-merge-info", merge_pages)
    app.add_css_file("widgets/elements.css")
    app.add_js_file("widgets/index.js", loading_method="defer")
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
