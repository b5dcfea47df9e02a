"""The first code in the sandbox, handed to Python as text: it receives the other modules and starts the worker."""

import builtins
import importlib.machinery
import importlib.util
import json
import marshal
import os
import sys
from typing import Any


def received(count: int) -> bytes:
    """Exactly so many bytes."""
    data = b""
    while len(data) < count:
        more = os.read(0, count - len(data))
        if not more:
            sys.exit("the grader went away")
        data += more
    return data


settings: dict[str, Any] = json.loads(received(int.from_bytes(received(4), "big")))
modules = marshal.loads(received(int.from_bytes(received(4), "big")))


class Sent:
    """Finds modules that came down the pipe, and the packages that the exercises allow, each where it lies."""

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: object = None) -> Any:
        """The usual question of the import system."""
        if name in modules:
            loader: Any = cls
            return importlib.machinery.ModuleSpec(name, loader, is_package=name == "exercises")
        if name in settings["packages"]:
            folder = settings["packages"][name]
            return importlib.util.spec_from_file_location(
                name, f"{folder}/__init__.py", submodule_search_locations=[folder]
            )
        return None

    @staticmethod
    def create_module(spec: object) -> None:
        """A plain module."""

    @staticmethod
    def exec_module(module: Any) -> None:
        """Run what was compiled outside."""
        builtins.exec(modules[module.__spec__.name], module.__dict__)


sys.meta_path.insert(0, Sent)

from exercises.nursery import keep  # type: ignore[import-not-found] # noqa: E402 -- the name it has inside

keep(settings)
