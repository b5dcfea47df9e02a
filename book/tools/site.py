"""Sphinx extension: what the stock theme gets wrong, and what every page carries."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
