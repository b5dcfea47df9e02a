"""What the tests share: the browser and the built site, and how nbval compares."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

from book.tools import chromium as finding
from book.tools.serve import site_server

# Pictures differ from machine to machine; the kept notebooks have none. nbval itself skips PNG and JPEG only.
PICTURES = ("image/svg+xml", "application/papermill.record/image/png", "application/papermill.record/image/svg+xml")

# A busy machine is no finding; what is slow is seen in tests/bench.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")


def pytest_collectstart(collector: pytest.Collector) -> None:
    if collector.path.suffix == ".ipynb" and hasattr(collector, "skip_compare"):
        collector.skip_compare += PICTURES


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built site, served on this machine for as long as the tests run."""
    with site_server(0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless browser. Without one, tests are skipped and say so; where CI is set, they fail instead."""
    program = finding.find_chromium()
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(finding.MISSING)
        pytest.skip(finding.MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(finding.FLAGS))
        yield browser
        browser.close()
