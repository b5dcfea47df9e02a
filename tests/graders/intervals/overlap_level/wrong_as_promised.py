"""What one interval leaves out."""

FAILS = "two equal standard errors"
SLIP = "adds-standard-errors"


def overlap_level(se_a, se_b, level):
    return 1 - level
