"""The first words of a new chapter and of a new exercise: they work, and say in comments what is owed.

`STEM`, `TITLE`, `OBJECTIVE`, `FUNCTION` and `SLIP` stand for what they are called, `LABEL` for the stem as labels have
it, with hyphens.
"""

from __future__ import annotations

CHAPTER = {
    "book/STEM.md": """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
objectives:
  # unfinished: the objectives, each with an exercise and a question that ask for it
  - id: first-step
    text: say what the chapter is about
---

(LABEL)=
# TITLE

% unfinished: open with a question that somebody running an eval asks, and its data
Two people read the same eval and say different things.

```{admonition} After this chapter you can
:class: objectives

- say what the chapter is about.

% unfinished: the words that the chapter uses and does not build
You need to know what a mean is; the rest is built here.
```

```{code-cell} ipython3
import numpy as np

rng = np.random.default_rng(2026)
```

(LABEL-first)=
## The first step

% unfinished: the sections: data, a question, a simulation, the formula, `evalstats`, a common slip, an exercise
Ask before you compute.

```{code-cell} ipython3
marks = rng.integers(0, 2, size=8)
print(marks.tolist())
```

## What to keep

% unfinished: what a reader does on Monday, and the ideas behind it
- A question comes before its number.

## Quiz

```{quiz} STEM
```

## Cards

```{cards} STEM
```
""",
    "book/quizzes/STEM.yml": """\
chapter: STEM
questions:
  # unfinished: questions that send each wrong answer to its misconception
  - id: LABEL-first
    kind: choice
    objective: first-step
    ask: What comes before the number?
    options:
      - text: A question.
        right: true
        why: A number answers something, or it says nothing.
      - text: Its percent sign.
        slip: SLIP
        why: How a number is written comes after what it is.
""",
    "book/cards/STEM.yml": """\
chapter: STEM
cards:
  # unfinished: a card for each idea and each formula worth knowing by heart
  - id: LABEL-first
    topic: TITLE
    front: What comes before the number?
    back: A question.
""",
    "book/days/STEM.md": """\
(day-LABEL)=
# Day: TITLE

% unfinished: what the reader has, and what will be written at the end of the day
You have a question.

## What you need

- The course set up, as the README says: `make book` once, and then `make serve` to read the chapter in a browser.
- The chapter, {ref}`TITLE <LABEL>`, and its worksheet:
  `make lab` puts a copy of your own at `my/STEM.ipynb` and opens Jupyter there.

## What you will be able to do

% unfinished: a row for each objective, in the chapter's words
| You can | Exercise that shows it | Question that asks for it |
|---|---|---|
| say what the chapter is about | | {ref}`quiz-LABEL-first` |

## The two hours

% unfinished: the minutes of each block, and a place for every exercise
| Block | What you do |
|---|---|
| {ref}`Cards that are due <cards>` | Those of all chapters. |
| Read | {ref}`The first step <LABEL-first>`. |
| Quiz | At the end of the chapter. |
| Cards | Go through the chapter's cards once; they come back when they are due. |

## At the end you have

- [ ] the chapter's cards in your box.

---

The chapter of this day is {doc}`../STEM`.
""",
    "book/ledger/STEM.toml": """\
# unfinished: a row for each number that a reader of the chapter meets
setup = ""

[[row]]
id = "the-two-hours"
words = "The two hours"
chosen = { "two" = "length of a lesson; later: the sum of the minutes of its blocks" }
""",
}

EXERCISE = {
    "exercises/STEM/FUNCTION/statement.md": """\
<!-- unfinished: what the function is for, what comes in and what goes out, and the edge cases -->
Write `FUNCTION(right, n)`: the share of `n` answers that are `right`.
""",
    "exercises/STEM/FUNCTION/starter.py": '''\
# unfinished: the signature of the function, its docstring, and the same in the model answer
def FUNCTION(right: int, n: int) -> float:
    """The share of n answers that are right."""
    raise NotImplementedError("your answer goes here")
''',
    "exercises/STEM/FUNCTION/check.py": '''\
"""Checks of `FUNCTION`."""

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise
from exercises.expect import close


# unfinished: the right answer, by another route than the model answer where there is one
def share(right: int, n: int) -> float:
    """The right answer."""
    return right / n


# unfinished: inputs of which each tells every wrong answer from a right one
def draw(random: np.random.Generator) -> Drawn:
    """A score that is neither nothing nor everything."""
    n = int(random.integers(20, 60))
    return {"right": int(random.integers(1, n)), "n": n}


exercise = Exercise(
    name="STEM/FUNCTION",
    title="TITLE",
    objective="OBJECTIVE",
    reference=share,
    draw=draw,
    diagnoses=(),
)


# unfinished: a check for each thing that must hold, with the slips that its failure gives away
@exercise.check("a score of your own")
def own_score(answer: Answer, drawn: Drawn) -> None:
    right, n = drawn["right"], drawn["n"]
    close(answer(right, n), share(right, n), "the share of the answers that are right.")
''',
    "exercises/STEM/FUNCTION/hints.md": """\
<!-- unfinished: a nudge, then the idea, then nearly the answer -->
## What is asked

Say in your own words what comes in and what goes out.

## By hand

Do it with a small example on paper.

## In code

Divide.
""",
    "solutions/STEM/FUNCTION.py": '''\
"""A share is a count divided by what was counted."""


def FUNCTION(right: int, n: int) -> float:
    """The share of n answers that are right."""
    return right / n
''',
    "tests/graders/STEM/FUNCTION/wrong_upside_down.py": '''\
"""Divides the wrong way round."""

# unfinished: a wrong answer for each misconception, named; None is for those that no misconception explains
FAILS = "a score of your own"
SLIP = None


def FUNCTION(right, n):
    return n / right
''',
    "tests/graders/STEM/FUNCTION/right_mean_of_marks.py": '''\
"""The mean of the marks, one by one."""

# unfinished: other right answers
from statistics import mean


def FUNCTION(right, n):
    return mean([1] * right + [0] * (n - right))
''',
}
