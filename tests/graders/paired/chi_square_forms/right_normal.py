"""The normal curve instead of its square."""

from math import erfc, sqrt


def chi_square_forms(b, c):
    def with_p(difference):
        z = difference / sqrt(b + c) if b or c else 0.0
        return (z * z, erfc(z / sqrt(2)))

    return {"uncorrected": with_p(abs(b - c)), "corrected": with_p(max(0, abs(b - c) - 1))}
