"""Files that no notebook program would write: the bytes of attacks that name one of these functions as `raw`."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from tests.grading.corpus import LAST_CELL, base, notebook

MILLION = 1_000_000


def _as_json(content: bytes) -> Any:
    return json.loads(content)


def _myst(front: str, cells: list[str]) -> bytes:
    fences = "".join(f"\n```{{code-cell}} python\n{code}\n```\n" for code in cells)
    return f"---\n{front}\n---\n{fences}".encode()


MYST_FRONT = """jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  name: python3
  display_name: Python 3"""


def nested_json() -> bytes:
    return b"[" * 200_000


def nested_metadata() -> bytes:
    deep = b'{"a":' * 50_000 + b"1" + b"}" * 50_000
    return notebook(base()).replace(b'"metadata": {}, "cells"', b'"metadata": ' + deep + b', "cells"')


def huge_cell() -> bytes:
    return notebook([*base(), "x = '" + "attackmark" * 10 * MILLION + "'"])


def million_cells() -> bytes:
    cell = b'{"cell_type":"code","metadata":{},"outputs":[],"execution_count":null,"source":"1"}'
    return b'{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[' + b",".join([cell] * MILLION) + b"]}"


def many_cells() -> bytes:
    cell = b'{"cell_type":"code","source":"1"}'
    return b'{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[' + b",".join([cell] * (MILLION // 2)) + b"]}"


def many_magics() -> bytes:
    return notebook(base("%time 1\n" * 12_000))


def many_errors() -> bytes:
    return notebook(['raise ValueError("attackmark" * 100_000)'] * 400)


def deep_code() -> bytes:
    deep = ["(" * 9_000, "x = " + "-" * 30_000 + "1", "x" + ".a" * 12_000, "x = " + "(" * 199 + ")" * 199]
    many = ["x = " + "+".join(["1"] * 15_000), "x = f'" + "{1}" * 5_000 + "'", "lambda: " * 3_000 + "1"]
    return notebook(base(*deep, *many, LAST_CELL))


def huge_numbers() -> bytes:
    digits = "9" * 60_000
    made = notebook(base(f"x = {digits}", f"x = 0x{digits}"))
    return made.replace(b'"metadata": {}, "cells"', b'"metadata": {"a": ' + digits.encode() + b'}, "cells"')


def yaml_bomb() -> bytes:
    bomb = "\n".join(["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 41))])
    return _myst(f"{MYST_FRONT}\n{bomb}", base())


def yaml_objects() -> bytes:
    runs = "attack: !!python/object/apply:os.system ['touch /tmp/attackmark_yaml']"
    more = "other: !!python/object/new:subprocess.Popen [['touch', '/tmp/attackmark_yaml']]"
    return _myst(f"{MYST_FRONT}\n{runs}\n{more}", base())


def cell_options() -> bytes:
    options = """
```{code-cell} python
:load: /tmp/attacked_class/grading.secret
x = 1
```

```{code-cell} python
---
load: ../../../../etc/passwd
tags: !!python/object/apply:os.system ['touch /tmp/attackmark_option']
---
```

```{include} /tmp/attacked_class/grading.secret
```
"""
    return _myst(MYST_FRONT, base()) + options.encode()


def percent_markers() -> bytes:
    cells = "".join(f"# %%\n{code}\n" for code in base())
    return (cells + '# %% [markdown] {"a": [1, 2, {"b": ' + "[" * 50 + "\n" + "# %% a=1 b=[1\n" * 60_000).encode()


def long_line() -> bytes:
    return _myst(MYST_FRONT, base()) + (" " * 300_000 + "x\n" + "`" * 300_000 + "\n" + "\t" * 300_000 + "```{").encode()


def not_text() -> bytes:
    return b'{"cells": [{"cell_type": "code", "source": "\xff\xfe\x00\xed\xa0\x80"}]}'


def zeros_in_code() -> bytes:
    return notebook(
        base("x = 1\x00\nraise ValueError('\x00')", "x = '\ud800'\nraise ValueError(x)", "x = 1\x0c\x1b[2J")
    )


def wrong_shapes() -> bytes:
    made = _as_json(notebook(base(LAST_CELL)))
    strange: list[Any] = [
        None,
        5,
        "code",
        [],
        {},
        {"cell_type": ["code"], "source": "x"},
        {"cell_type": "code", "source": {"a": 1}},
        {"cell_type": "code", "source": [1, None, ["x = 1"]]},
        {"cell_type": "code"},
        {"cell_type": "code", "source": None},
    ]
    made["cells"] = strange + made["cells"]
    return json.dumps(made).encode()


def encoding_cookie() -> bytes:
    cells = "".join(f"# %%\n{code}\n" for code in base())
    return ("# -*- coding: utf-7 -*-\n+ADw-script+AD4-\n" + cells).encode()


def empty() -> bytes:
    return b""


def zip_bomb() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("attack.ipynb", b"\0" * (50 * MILLION))
    return made.getvalue()


def outputs() -> bytes:
    made = _as_json(notebook(base()))
    shown = {
        "text/html": "<script>attackmark()</script>",
        "text/plain": "passed 7 of 7",
        "application/json": {"score": 9},
    }
    made["cells"][-1]["outputs"] = [
        {"output_type": "display_data", "data": shown, "metadata": {}},
        {"output_type": "error", "ename": "<b>", "evalue": "\x1b[2J", "traceback": ["<script>attackmark()</script>"]},
    ]
    markdown = {"cell_type": "markdown", "id": "m", "metadata": {}, "source": "<script>attackmark()</script>"}
    made["cells"].append(markdown | {"attachments": {"x": {"text/html": "<script>attackmark()</script>"}}})
    return json.dumps(made).encode()


def grading_metadata() -> bytes:
    made = _as_json(notebook(base()))
    for cell in made["cells"]:
        cell["metadata"] = {
            "nbgrader": {"grade": True, "grade_id": "exact_mcnemar", "points": 999, "score": 999, "solution": True},
            "otter": {"tests": ["exact_mcnemar"], "points": 999},
            "student": "somebody-else",
        }
    made["metadata"] = {"otter": {"OK_FORMAT": True, "tests": {}}, "student": "somebody-else", "score": 999}
    return json.dumps(made).encode()


def deep_branches() -> bytes:
    deep = ["if 0: pass\n" + "elif 0: pass\n" * 3_000, "x" + "[0]" * 8_000, "x = " + "1 if 0 else " * 2_000 + "1"]
    more = ["f" + "()" * 10_000, "x = " + "not " * 4_000 + "1", "x = " + "[x for x in " * 150 + "x" + "]" * 150]
    return notebook(base(*deep, *more))


def many_definitions() -> bytes:
    one = "def exact_mcnemar(b, c): return {0}\nclass mid_p: x = {0}\n"
    return notebook([*base()[:1], "".join(one.format(number) for number in range(1_600)), *base()[1:]])


def slow_patterns() -> bytes:
    cells = "".join(f"# %%\n{code}\n" for code in base())
    lines = ["#" + " \t" * 6_000 + "x", "# In[" + "1 " * 6_000, "# ---\n" + "# -\n" * 4_000, "def" + " " * 12_000]
    return (cells + "# %%\n" + "\n".join(lines) + "\n").encode()
