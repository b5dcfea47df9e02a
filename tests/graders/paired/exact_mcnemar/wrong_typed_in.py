"""The p-value of the book's table, whatever the counts."""

FAILS = "a table of your own"
SLIP = "result-typed-in"


def exact_mcnemar(b, c):
    return 0.022462899244184643
