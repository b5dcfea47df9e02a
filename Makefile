# Everything is done by book/tools; this file only gives it short names.
# Without make: python -m book.tools TARGET

PYTHON ?= python3
TARGETS = book serve lab setup clean distclean \
          test lint types unit course grading nbval widgets browser \
          chapter watch new-chapter new-exercise slow bench notebooks worksheets lock

.DEFAULT_GOAL := help
.PHONY: help $(TARGETS)

help $(TARGETS):
	@$(PYTHON) -m book.tools $@

# What is no target is answered there, too.
.DEFAULT:
	@$(PYTHON) -m book.tools $@
