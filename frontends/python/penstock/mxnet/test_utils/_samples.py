"""Checks of random generators: by their means and deviations, and by Pearson's chi-square test."""

import numpy as np

from ._compare import _host

__all__ = [
    "chi_square_check",
    "gen_buckets_probs_with_ppf",
    "mean_check",
    "var_check",
    "verify_generator",
]


def gen_buckets_probs_with_ppf(ppf, nbuckets):
    """Buckets that are equally probable, by a distribution's quantiles; and their probabilities."""
    if nbuckets <= 0:
        raise AssertionError(f"gen_buckets_probs_with_ppf: {nbuckets} buckets")
    part = 1.0 / nbuckets
    edges = [ppf(part * i) for i in range(nbuckets)] + [ppf(1.0)]
    return list(zip(edges[:-1], edges[1:])), [part] * nbuckets


def _drawn(generator, nsamples):
    return np.asarray(_host(generator(nsamples)), dtype="float64").ravel()


def mean_check(generator, mu, sigma, nsamples=1000000):
    """Whether the mean of samples is within three of its standard deviations of mu."""
    mean = _drawn(generator, nsamples).mean()
    return bool(abs(mean - mu) < 3 * sigma / np.sqrt(nsamples))


def var_check(generator, sigma, nsamples=1000000):
    """Whether the variance of samples is within three of its standard deviations of sigma²."""
    found = _drawn(generator, nsamples).var(ddof=1)
    return bool(abs(found - sigma**2) < 3 * np.sqrt(2 * sigma**4 / (nsamples - 1)))


def chi_square_check(generator, buckets, probs, nsamples=1000000):
    """How probable counts like these are; the counts, and those that were expected.

    Buckets are pairs (low, high) for continuous values, else the values themselves.
    """
    from scipy import stats

    samples = _drawn(generator, nsamples)
    if isinstance(buckets[0], (tuple, list)):
        counted = _counts_between(samples, buckets)
    else:
        counted = np.array([np.count_nonzero(samples == value) for value in buckets])
    expected = np.asarray(probs, dtype="float64") * nsamples
    # Expected counts must sum up to what was counted.
    _, p = stats.chisquare(counted, expected * counted.sum() / expected.sum())
    return p, counted, expected


def _counts_between(samples, buckets):
    edges = [low for low, _ in buckets] + [buckets[-1][1]]
    if edges != sorted(edges) or any(low >= high for low, high in buckets):
        raise AssertionError("chi_square_check: buckets must ascend and not overlap")
    return np.histogram(samples, bins=edges)[0]


def verify_generator(
    generator, buckets, probs, nsamples=1000000, nrepeat=5, success_rate=0.2, alpha=0.05
):
    """Repeats the chi-square check; raises if too few of them are above alpha. Gives them all."""
    checks = [chi_square_check(generator, buckets, probs, nsamples) for _ in range(nrepeat)]
    found = [p for p, _, _ in checks]
    passed = sum(p > alpha for p in found)
    if passed < nrepeat * success_rate:
        raise AssertionError(
            f"the samples do not follow the distribution: p={found} by chi-square, "
            f"obs_freq={checks[-1][1]}, expected_freq={checks[-1][2]}.\n"
            f"buckets={buckets}, probs={probs}"
        )
    return found
