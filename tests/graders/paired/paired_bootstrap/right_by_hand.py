"""No NumPy: sort, and interpolate between neighbours."""

from math import floor


def paired_bootstrap(a, b, resamples):
    gaps = sorted(sum(a[i] - b[i] for i in rows) / len(rows) for rows in resamples)

    def quantile(share):
        place = share * (len(gaps) - 1)
        below = floor(place)
        above = min(below + 1, len(gaps) - 1)
        return gaps[below] + (place - below) * (gaps[above] - gaps[below])

    return [quantile(0.025), quantile(0.975)]
