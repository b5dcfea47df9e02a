# Everything is done by book/tools; this file only gives it short names.
# Without make: python -m book.tools TARGET

PYTHON ?= python3
TARGETS = setup book serve lab test lint types unit course nbval widgets browser slow bench notebooks worksheets lock

.DEFAULT_GOAL := help
.PHONY: help clean $(TARGETS)

help $(TARGETS):
	@$(PYTHON) -m book.tools $@

clean:
	rm -rf _build .venv book/_static/widgets book/_static/mathjax book/widgets/node_modules
