"""The kept notebooks are what the chapters give, were run, and hold nothing but Markdown, code and text."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from book.tools import notebooks
from book.tools.notebooks import differences, faults, identifiers, make, stored
from book.tools.structure import chapters
from exercises.run import Verdict

CHAPTERS = chapters()
PAGE = """\
---
kernelspec: {name: python3}
---

(demo-top)=
# A demonstration

See {eq}`eq-demo` and {numref}`fig-demo`, as {cite:t}`known1947` did; {ref}`demo-top`; {math}`x^2`. % not a comment

% a comment

$$
x = 1
$$ (eq-demo)

```{code-cell} ipython3
---
tags: [hide-input]
mystnb:
  figure: {name: fig-demo, caption: "A line, as in {eq}`eq-demo`."}
  image: {alt: "A straight line."}
---
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.show()
```

:::{admonition} Read {eq}`eq-demo`
:class: tip

Inside, a second one.

```{note}
Nested.
```
:::

```{slip} taken-apart
```

```{quiz} demo
```

```{widget} toy
```

```{code-cell} ipython3
print(6 * 7)
```

| a | b |
|---|---|
| {eq}`eq-demo` | 2 |
"""


@pytest.fixture
def small_course(tmp_path: Path) -> Path:
    """A course of one page, in a folder of its own."""
    (tmp_path / "book").mkdir()
    (tmp_path / "_toc.yml").write_text("root: book/demo\n", encoding="utf-8")
    (tmp_path / "book" / "demo.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "book" / "references.bib").write_text(
        "@article{known1947, author={Known, Ann}, title={T}, journal={J}, year={1947}}", encoding="utf-8"
    )
    (tmp_path / "book" / "misconceptions.yml").write_text(
        "taken-apart: {title: T, say: It is apart., ask: 'Is it?', because: It is not.}", encoding="utf-8"
    )
    return tmp_path


def text_of(notebook: Any) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_a_page_becomes_plain_markdown_and_code(small_course: Path) -> None:
    text = text_of(make("demo", small_course))
    for expected in (
        "See (1) and Figure 1, as Known (1947) did; “A demonstration”; $x^2$.",
        "x = 1 \\tag{1}",
        "**Figure 1.** A line, as in (1).",
        "*In words: A straight line.*",
        "> **Read (1)**",
        "> > **Note**",
        "> **A common slip**\n>\n> It is apart.",
        "*The quiz for this place",
        "*An interactive figure for this place",
        "| (1) | 2 |",
    ):
        assert expected in text
    assert "a comment\n" not in text.replace("not a comment", "")
    code = [cell for cell in make("demo", small_course).cells if cell.cell_type == "code"]
    assert code[1].source.startswith("import matplotlib")
    assert code[1].metadata == {"tags": ["hide-input"]}
    assert code[-1].source == "print(6 * 7)"


def test_an_exercise_becomes_its_statement_and_cells_that_run(small_course: Path) -> None:
    (small_course / "book" / "demo.md").write_text("# A\n\n```{practice} paired/exact_mcnemar\n```\n", encoding="utf-8")
    notebook = make("demo", small_course)
    assert "**Exercise: The exact McNemar test**" in text_of(notebook)
    assert "fair coin" in text_of(notebook)
    starter, check = [cell.source for cell in notebook.cells if cell.cell_type == "code"][1:]
    names: dict[str, Any] = {}
    exec(f"{starter}\n{check.replace('exercises.check', 'report = exercises.check')}", names)
    assert names["report"].verdict is Verdict.NOT_STARTED


def test_colab_gets_the_course_from_its_repository_and_nowhere_else(small_course: Path) -> None:
    first = next(cell for cell in make("demo", small_course).cells if cell.cell_type == "code")
    assert "google.colab" in first.source
    assert "git+https://" in first.source
    assert "pip install evalstats" not in first.source


def test_the_first_cell_says_what_to_install_outside_colab(small_course: Path) -> None:
    first, second = make("demo", small_course).cells[:2]
    extras = re.findall(r"\[([a-z,]+)\]", second.source)
    assert extras == ["data,plots"]
    assert f'pip install ".[{extras[0]}]"' in first.source


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("```{slip} taken-apart", "```{unheard-of} x", "no plain form"),
        ("{eq}`eq-demo`", "{eq}`eq-none`", "nothing has the label"),
        ("known1947", "unknown", "not a key"),
        ("taken-apart\n", "nothing\n", "not in misconceptions.yml"),
        ("{ref}`demo-top`", "[there](gone.md)", "neither a label nor a page"),
    ],
)
def test_what_has_no_plain_form_is_refused(small_course: Path, old: str, new: str, complaint: str) -> None:
    (small_course / "book" / "demo.md").write_text(PAGE.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=complaint):
        make("demo", small_course)


def test_a_run_keeps_text_and_drops_images_and_times(small_course: Path) -> None:
    notebook = make("demo", small_course)
    notebooks.run(notebook, small_course)
    notebooks.write(notebook, stored("demo", small_course))
    assert faults(notebook) == []
    assert differences("demo", small_course) == []
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [list(output.data) for output in outputs if "data" in output] == [["text/plain"]]
    assert any(output.get("text") == "42\n" for output in outputs)
    page = small_course / "book" / "demo.md"
    for old, new in (("6 * 7", "6 * 8"), ("Inside, a", "Outside, a"), ("tags: [hide-input]", "tags: [hide-output]")):
        page.write_text(PAGE.replace(old, new), encoding="utf-8")
        assert differences("demo", small_course) != []
    page.write_text(PAGE + "\nOne more line.\n", encoding="utf-8")
    assert differences("demo", small_course) != []


def clean() -> Any:
    """A notebook that has nothing wrong with it."""
    code = nbformat.v4.new_code_cell("1", execution_count=1)  # type: ignore[no-untyped-call]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("text"), code])  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("markdown", "complaint"),
    [
        ("{eq}`x`", "a role"),
        ("```{note}\n```", "a directive"),
        ("> :::{note}", "a directive"),
        ("(label)=", "a label"),
        ("% remark", "a comment"),
        ("a note[^1]", "a footnote"),
        ("{{ name }}", "a substitution"),
    ],
)
def test_myst_that_is_left_is_seen(markdown: str, complaint: str) -> None:
    notebook = clean()
    assert faults(notebook) == []
    notebook.cells[0].source = markdown
    assert any(complaint in fault for fault in faults(notebook))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"execution_count": None}, "not been run"),
        ({"source": "import myst_nb"}, "tools of the book"),
        ({"metadata": {"execution": {}}}, "time of its run"),
        ({"outputs": [{"output_type": "display_data", "data": {"image/png": "x"}, "metadata": {}}]}, "an image"),
        ({"outputs": [{"output_type": "stream", "name": "stdout", "text": "/home/me/x"}]}, "a path"),
        ({"outputs": [{"output_type": "stream", "name": "stdout", "text": "<A at 0x7f00aa>"}]}, "address"),
        ({"outputs": [{"output_type": "stream", "name": "stderr", "text": "w"}]}, "a warning"),
        ({"outputs": [{"output_type": "error", "ename": "E", "evalue": "", "traceback": []}]}, "an error"),
    ],
)
def test_a_fault_of_a_code_cell_is_seen(change: dict[str, Any], complaint: str) -> None:
    notebook = clean()
    notebook.cells[1] = nbformat.from_dict(copy.deepcopy(dict(notebook.cells[1])) | change)  # type: ignore[no-untyped-call]
    assert any(complaint in fault for fault in faults(notebook))


def test_cell_ids_stay_when_cells_move(small_course: Path) -> None:
    cells = [notebooks.Cell("code", "a"), notebooks.Cell("code", "b"), notebooks.Cell("code", "a")]
    first = identifiers(cells)
    assert len(set(first)) == 3
    assert set(identifiers(cells[::-1])) == set(first)
    assert identifiers([notebooks.Cell("markdown", "new"), *cells])[1:] == first


def test_there_are_chapters_to_make_notebooks_of() -> None:
    assert CHAPTERS


@pytest.mark.parametrize("stem", CHAPTERS)
def test_the_kept_notebook_is_what_the_chapter_gives(stem: str) -> None:
    assert differences(stem) == [], f"make it again: python -m book.tools.notebooks {stem}"


@pytest.mark.parametrize("stem", CHAPTERS)
def test_the_kept_notebook_has_been_run_and_holds_text_only(stem: str) -> None:
    notebook = nbformat.read(stored(stem), as_version=4)  # type: ignore[no-untyped-call]
    assert any(cell.cell_type == "code" and cell.outputs for cell in notebook.cells)
    assert faults(notebook) == []
