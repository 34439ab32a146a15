"""Whether a row became slower: statistics, on numbers alone.

A round gives three values of a row: of the base, of the base in another placement (the twin), and of
the tree. They were taken within a second of each other, each in a process of its own.

1. What disturbs a measurement only ever makes it slower. So a side's value is a low quantile of its
   rounds: it takes no notice of the disturbed ones, while a single lucky round does not decide.
2. The difference is by how much the tree's value, as a logarithm, lies outside of the base's two; 0
   between them.
3. The noise is what a round's luck is worth: base and twin, each less its own value, change places
   at random, in rounds that are drawn again and again, and the noise is the difference that nearly
   all draws stay below. It knows nothing of the tree.
4. A row has changed if the difference is more than LEAST and more than the noise.

With more than a hundred rows some pass by luck. So those that pass are measured again, twice, and only
what passes on each of the new sets of rounds, by itself and by a stricter noise, is reported."""

import math
import random

LOW = 0.1  # with 15 rounds between the second and the third lowest
LEAST = math.log(1.02)
DRAWS = 300
FIRST, STRICT = 0.95, 0.99  # the part of draws that stay below the noise


def quantile(values, part):
    """Between the two values next to it, as NumPy does it."""
    ordered = sorted(values)
    at = part * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


def low(values):
    return quantile(values, LOW)


def noise_of(base, twin, part, rng):
    """Of their values in each round."""
    pairs = [(b - low(base), t - low(twin)) for b, t in zip(base, twin)]
    found = []
    for _ in range(DRAWS):
        drawn = rng.choices(pairs, k=len(pairs))
        swapped = [(b, a) if rng.random() < 0.5 else (a, b) for a, b in drawn]
        one, other = (low(side) for side in zip(*swapped))
        found.append(abs(one - other))
    return quantile(found, part)


class Verdict:
    """About one row, from its triples (base, twin, tree). `change` is +1 if the tree is slower, -1 if
    it is faster, else 0. `base` is the mean of the two placements, `ratio` the tree's value over that,
    above 1 where the tree is slower, whichever way the row's unit goes; `placement`, how far the two
    lie apart, and `noise` are parts of 1."""

    def __init__(self, triples, best=min, part=FIRST, seed=0):
        sign = 1 if best is min else -1
        logs = [[sign * math.log(value) for value in triple] for triple in triples]
        sides = list(zip(*logs))
        base, twin, tree = (low(side) for side in sides)
        mean = (base + twin) / 2
        noise = noise_of(*sides[:2], part, random.Random(seed))
        self.base, self.tree = math.exp(sign * mean), math.exp(sign * tree)
        self.ratio, self.noise = math.exp(tree - mean), math.exp(noise) - 1
        self.placement = math.exp(abs(base - twin)) - 1
        enough = max(LEAST, noise)
        self.change = (tree - max(base, twin) > enough) - (min(base, twin) - tree > enough)


def confirm(first, again):
    """The verdict on new rounds, in which a change stands only if the ones before had it too."""
    if again.change != first.change:
        again.change = 0
    return again
