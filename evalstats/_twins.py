"""Functions that answer the same question by another method, and take the same arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def takes_arguments_of(twin: Callable[P, R]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Let a function be called, checked and shown as `twin` is; it receives all arguments by name, with defaults."""

    def decorate(function: Callable[..., R]) -> Callable[P, R]:
        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            given = signature(twin).bind(*args, **kwargs)
            given.apply_defaults()
            return function(**given.arguments)

        shown: Any = called
        shown.__signature__ = signature(twin)
        return called

    return decorate
