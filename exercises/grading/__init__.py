"""Grading a class of untrusted notebooks: `python -m exercises grade --help`.

A submission is read, never rendered (`notebook`); its cells run in a sandbox that only inputs enter and only checked
JSON leaves (`sandbox`, `session`); comparison happens outside (`grade`). Around that: who handed in what (`roster`,
`submissions`), what it is worth (`course`, `marks`), a run that can be stopped and resumed (`runner`), and what
people read (`feedback`, `class_report`, `exports`).
"""
