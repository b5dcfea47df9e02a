"""What it says on the label."""

FAILS = "the brackets of the chapter"
SLIP = "nominal-is-actual"


def coverage(low, high, p):
    return 0.95
