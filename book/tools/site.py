"""Sphinx extension: mends what the stock theme gets wrong; gives every page its date, its links and its notebook."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlencode

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment

from book.tools.places import ROOT, project, repository_address

NOTEBOOKS = ROOT / "book" / "notebooks"
DEAD_BOX = '<input class="task-list-item-checkbox" disabled="disabled" type="checkbox">'
SHORT = 14  # characters
CODE = re.compile(r'(?<=<span class="pre">)[^<]+')
JOINT = re.compile(r"(?<=[/_(])(?=\w)|(?<=\.)(?=[A-Za-z])")
TASK = re.compile(rf"{DEAD_BOX}(.*?)(?=</p>|</li>)", re.DOTALL)


def release_from_project(app: Sphinx, config: Config) -> None:
    """The version stands in pyproject.toml alone."""
    config.version = config.release = str(project()["version"])


def changed_on(source: Path) -> date:
    """The day of the last commit that changed a page; today, for a page not committed or outside a repository."""
    command = ["git", "log", "-1", "--format=%cs", "--", str(source)]
    try:
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    except OSError:
        said = ""
    return date.fromisoformat(said) if said else date.today()


def note_date(app: Sphinx, doctree: nodes.document) -> None:
    page = app.env.docname
    app.env.metadata[page]["changed_on"] = changed_on(Path(app.env.doc2path(page)))


def dated_otherwise(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Pages that have been committed since they were read, without another change."""
    known = {page: env.metadata[page].get("changed_on") for page in env.found_docs - added - changed}
    return [page for page, day in known.items() if day != changed_on(Path(env.doc2path(page)))]


def in_words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def report_address(page: str, release: str) -> str:
    """A new issue in the repository, with the page and version already written."""
    body = f"Page: {page}, version {release}\n\nWhat it says:\n\nWhat it should say, and why:\n"
    return f"{repository_address()}/issues/new?{urlencode({'title': f'Error on {page}', 'body': body})}"


def without_thebe(scripts: Iterable[Any]) -> list[Any]:
    """The scripts of a page without thebe (which names another host) and each of them once."""
    kept: dict[str, Any] = {}
    for script in scripts:
        name = str(getattr(script, "filename", script) or "")
        body = str(getattr(script, "attributes", {}).get("body", ""))
        if "thebe" not in (name + body).lower():
            kept.setdefault(name + "\0" + body, script)
    return list(kept.values())


def notebook_of(page: str) -> str:
    """Where the site keeps the notebook made from a page; empty for a page of another folder, as the day's page is."""
    path = PurePosixPath(page)
    made = path.parent.name == "book" and (NOTEBOOKS / f"{path.name}.ipynb").is_file()
    return f"notebooks/{path.name}.ipynb" if made else ""


def complete_page(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """What the templates of book/_templates need, and the theme's faults that show in the page's context."""
    context["script_files"] = without_thebe(context.get("script_files", []))
    context["css_files"] = without_thebe(context.get("css_files", []))
    is_page = doctree is not None
    context["changed_on"] = in_words(app.env.metadata[page]["changed_on"] if is_page else date.today())
    context["report_address"] = report_address(page, app.config.release) if is_page else ""
    notebook = notebook_of(page) if is_page else ""
    context["notebook_address"] = context["pathto"](notebook, resource=True) if notebook else ""
    if "body" in context:
        context["body"] = mended(context["body"])
        if "task-list-item-checkbox" in context["body"]:
            app.add_js_file("js/checklist.js", loading_method="defer")


def mark_short_cells(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """A cell of a word or two stays on one line; a long neighbour would squeeze it."""
    for cell in doctree.findall(nodes.entry):
        if len(cell.astext()) <= SHORT:
            cell["classes"].append("es-short")


def mended(html: str) -> str:
    """What a reader would stumble over: a table's empty heading, a box to tick that cannot be and has no name,
    a label that is not what stands there, a role that is no longer one, a long name that breaks anywhere."""
    html = re.sub(r"<th(?:\s[^>]*)?>(?:\s|<p>\s*</p>)*</th>", "<td></td>", html)
    html = TASK.sub(r'<label><input class="task-list-item-checkbox" type="checkbox">\1</label>', html)
    html = html.replace('<summary aria-label="Toggle hidden content">', "<summary>")
    html = CODE.sub(lambda code: JOINT.sub("<wbr>", code[0]), html)  # where a long name may break, if it has to
    return html.replace('role="doc-biblioentry"', 'role="listitem"')


def copy_notebooks(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html" and NOTEBOOKS.is_dir():
        shutil.copytree(NOTEBOOKS, Path(app.outdir) / "notebooks", dirs_exist_ok=True)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("config-inited", release_from_project)
    app.connect("env-get-outdated", dated_otherwise)
    app.connect("doctree-read", note_date)
    app.connect("doctree-resolved", mark_short_cells)
    app.connect("html-page-context", complete_page, priority=900)
    app.connect("build-finished", copy_notebooks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
