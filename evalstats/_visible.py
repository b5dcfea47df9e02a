"""Text of others on a screen: what would steer a terminal, hide, or turn other words around is spelt out."""

from __future__ import annotations


def visible(words: str) -> str:
    """Text with every character that is not seen, as those that control, format or reorder, spelt as Python does."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in words)
