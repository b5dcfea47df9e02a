"""Pages in a headless browser: no other host can be reached, and whatever a page complains about fails its test."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from book.tools.places import ROOT
from book.tools.serve import Quiet

HARNESS = Path(__file__).parent / "harness"
AXE = ROOT / "book" / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
BUNDLE = ROOT / "book" / "_static" / "widgets" / "index.js"

ANOTHER_HOST = re.compile(r"^(?!http://127\.0\.0\.1[:/]|file:|data:|blob:)")

Visit = Callable[..., Any]


def unavailable(reason: str) -> None:
    """A laptop may lack something and is told so; the gate may not."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def harness_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site with every element on it, built with the real extension and the book's own look."""
    if not BUNDLE.is_file():
        unavailable("the widgets are not built: run `make book` first")
    out = tmp_path_factory.mktemp("harness")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-n", "-b", "html", str(HARNESS), str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return out


@pytest.fixture(scope="session")
def harness(harness_folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(harness_folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
    server.shutdown()
    server.server_close()


@pytest.fixture
def visit(chromium: Any) -> Iterator[Visit]:
    """Opens a page: visit(address, theme=..., width=..., scripts=...). Complaints of the page fail the test at its end.

    `maths=False` leaves MathJax out, which takes longer than most tests.
    """
    contexts: list[Any] = []
    complaints: list[str] = []

    def refuse(route: Any) -> None:
        complaints.append(f"asked another host: {route.request.url}")
        route.abort()

    def open_page(
        address: str, theme: str = "light", width: int = 1280, scripts: bool = True, maths: bool = True
    ) -> Any:
        viewport = {"width": width, "height": 900}
        context = chromium.new_context(viewport=viewport, color_scheme=theme, java_script_enabled=scripts)
        contexts.append(context)
        context.route(ANOTHER_HOST, refuse)
        if not maths:
            context.route("**/mathjax/*.js*", lambda route: route.fulfill(body="", content_type="text/javascript"))
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"threw: {error}"))
        page.on("console", lambda said: complaints.append(f"console: {said.text}") if said.type == "error" else None)
        page.goto(address)
        if scripts:
            settle(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


def settle(page: Any) -> None:
    """Waits until elements are alive and mathematics is set."""
    page.evaluate("() => window.MathJax?.startup?.promise")
    page.wait_for_function(
        "() => [...document.querySelectorAll('paired-table, same-model, interval-coverage, quiz-box, flash-cards')]"
        ".every(element => element.hasAttribute('data-ready'))"
    )


@pytest.fixture(scope="session")
def grave_faults() -> Callable[..., list[str]]:
    """What axe finds on a page that is serious or critical, one line for each element; `only` names its rules."""
    if not AXE.is_file():
        unavailable("axe-core is not installed: run `make book` first")

    def look(page: Any, within: str = "html", only: Sequence[str] = ()) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.add_script_tag(path=str(AXE))
        options = {"resultTypes": ["violations"], **({"runOnly": {"type": "rule", "values": [*only]}} if only else {})}
        run = "([where, options]) => axe.run(where, options).then(result => result.violations)"
        found = page.evaluate(run, [within, options])
        return [
            f"{fault['id']}: {node['html'][:160]} ({node.get('failureSummary', '')[:160]})"
            for fault in found
            if fault["impact"] in ("serious", "critical")
            for node in fault["nodes"]
        ]

    return look


@pytest.fixture(scope="session")
def reload() -> Callable[[Any], None]:
    """Loads the page once more and waits until it is alive."""

    def again(page: Any) -> None:
        page.reload()
        settle(page)

    return again


@pytest.fixture(scope="session")
def go() -> Callable[[Any, str], None]:
    """Goes to another page, with what has been kept, and waits until it is alive."""

    def to(page: Any, address: str) -> None:
        page.goto(address)
        settle(page)

    return to


@pytest.fixture(scope="session")
def tab_to() -> Callable[[Any, str], None]:
    """Moves the focus with the Tab key alone until it stands on the element that the selector names."""

    def move(page: Any, selector: str) -> None:
        for _ in range(150):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
        raise AssertionError(f"the Tab key never reaches {selector}")

    return move
