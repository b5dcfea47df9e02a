"""The two results of the page."""

FAILS = "a strange procedure"
SLIP = "result-typed-in"


def coverage(low, high, p):
    return 0.6389401372568058 if p == 0.95 else 0.8185209783470354
