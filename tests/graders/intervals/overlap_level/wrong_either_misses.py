"""One less the chance that both hold."""

FAILS = "two equal standard errors"
SLIP = "levels-multiplied"


def overlap_level(se_a, se_b, level):
    return 1 - level**2
