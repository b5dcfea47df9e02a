"""What an exercise is: checks, fixed inputs, and inputs drawn for each student."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

Answer = Callable[..., Any]
Drawn = Mapping[str, Any]
CheckFunction = Callable[[Answer], None] | Callable[[Answer, Drawn], None]

EVERYDAY = ("numpy", "scipy")  # beside the standard library
MAX_DRAWS = 100


@dataclass(frozen=True)
class Fixed:
    """Inputs that are the same for everybody, and the numbers of the book that the right answer prints for them.

    `anchors` maps a number as printed (`".0225"`, `"[.004, .036]"`) to where it stands in the answer: keys, positions.
    """

    arguments: tuple[Any, ...]
    anchors: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class FixedCase:
    """A `Fixed` with its right answer, computed by the exercise's reference."""

    exercise: str
    arguments: tuple[Any, ...]
    right: Any
    anchors: Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """One thing that must hold. `slip` names the misconception that a failure means, where it can mean only one."""

    says: str
    function: CheckFunction
    slip: str | None = None

    @cached_property
    def uses_drawn_inputs(self) -> bool:
        """Whether the check looks at inputs that differ between students."""
        return len(inspect.signature(self.function).parameters) > 1

    def __call__(self, answer: Answer, drawn: Drawn) -> None:
        arguments = (answer, drawn) if self.uses_drawn_inputs else (answer,)
        self.function(*arguments)


@dataclass
class Exercise:
    """One exercise: `name` is `chapter/function`, and `function` is what the learner writes.

    `reference` gives the right answer, by another route than the model answer where there is one. `draw` makes inputs
    from a random generator; `redraw` says of drawn inputs that they cannot tell a slip from a right answer.
    `diagnoses` lists every misconception that feedback may name. `allows` names the packages, beyond the standard
    library, that are there when the answer is graded.
    """

    name: str
    title: str
    objective: str
    reference: Answer
    draw: Callable[[np.random.Generator], Drawn]
    diagnoses: tuple[str, ...]
    fixed: tuple[Fixed, ...] = ()
    redraw: Callable[[Drawn], bool] = lambda drawn: False
    allows: tuple[str, ...] = EVERYDAY
    seconds: float = 5.0
    checks: list[Check] = field(default_factory=list)

    @property
    def chapter(self) -> str:
        """The stem of the chapter."""
        return self.name.partition("/")[0]

    @property
    def function(self) -> str:
        """The name of the function that the learner writes."""
        return self.name.partition("/")[2]

    def check(self, says: str, slip: str | None = None) -> Callable[[CheckFunction], CheckFunction]:
        """Add a check: a function of `(answer)` for fixed inputs, or of `(answer, drawn)` for a student's own."""

        def add(function: CheckFunction) -> CheckFunction:
            self.checks.append(Check(says, function, slip))
            return function

        return add

    def fixed_cases(self) -> list[FixedCase]:
        """The fixed inputs with their right answers and the anchors' values in them."""
        return [self._fixed_case(fixed) for fixed in self.fixed]

    def _fixed_case(self, fixed: Fixed) -> FixedCase:
        right = self.reference(*fixed.arguments)
        anchors = {printed: _at(right, place) for printed, place in fixed.anchors.items()}
        return FixedCase(self.name, fixed.arguments, right, anchors)

    def public_seed(self) -> int:
        """The seed of the self-check: the same for everybody, different for each exercise."""
        return int.from_bytes(hashlib.sha256(self.name.encode()).digest()[:8], "big")

    def drawn(self, seed: int) -> Drawn:
        """The inputs of one student: draw until `redraw` has nothing against them."""
        random = np.random.default_rng(seed)
        for _ in range(MAX_DRAWS):
            inputs = self.draw(random)
            if not self.redraw(inputs):
                return inputs
        raise RuntimeError(f"{self.name}: no usable inputs in {MAX_DRAWS} draws from seed {seed}")


def _at(value: Any, place: tuple[str | int, ...]) -> Any:
    for step in place:
        value = value[step]
    return value
