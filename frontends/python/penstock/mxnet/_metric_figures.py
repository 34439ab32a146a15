"""What metrics compute of the few numbers that a batch leaves, in Python's floats."""

import math

from .. import _core

_ops = _core._ops


class BinaryCounts:
    """How often class 1 and class 0 of two were predicted, rightly and wrongly."""

    def __init__(self):
        self.true_positives = self.false_positives = 0
        self.false_negatives = self.true_negatives = 0

    def add(self, true_positives, false_positives, false_negatives, true_negatives, odd):
        """Those of a batch, in which `odd` labels are a third class."""
        if odd:
            raise ValueError("a third class: F1 and MCC only support binary classification")
        self.true_positives += true_positives
        self.false_positives += false_positives
        self.false_negatives += false_negatives
        self.true_negatives += true_negatives

    def add_counts(self, other):
        """Those of others."""
        self.add(*vars(other).values(), 0)

    @property
    def total(self):
        """Of all that is counted."""
        return sum(vars(self).values())

    def f1(self):
        """The harmonic mean of precision and recall."""
        precision = _part(self.true_positives, self.true_positives + self.false_positives)
        recall = _part(self.true_positives, self.true_positives + self.false_negatives)
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def mcc(self):
        """Matthews' correlation; what is 0 is left out of the divisor."""
        if not self.total:
            return 0.0
        yes, true = self.true_positives, self.true_negatives
        positives, negatives = self.false_positives, self.false_negatives
        sums = (yes + positives, yes + negatives, true + positives, true + negatives)
        divisor = math.prod(float(one) for one in sums if one)
        return (yes * true - positives * negatives) / math.sqrt(divisor)


def _part(some, total):
    return some / total if total else 0.0


def matrix_correlation(pairs):
    """The correlation of two rows of classes, by how often each pair of them is there."""
    total = float(sum(pairs.values()))
    rows, columns = {}, {}
    for (row, column), count in pairs.items():
        rows[row] = rows.get(row, 0) + count
        columns[column] = columns.get(column, 0) + count
    within_rows = sum(count * (total - count) for count in rows.values())
    within_columns = sum(count * (total - count) for count in columns.values())
    if within_rows == 0 or within_columns == 0:
        return float("nan")
    both = sum(
        pairs.get((one, one), 0) * total - rows.get(one, 0) * columns.get(one, 0)
        for one in rows.keys() | columns.keys()
    )
    return both / math.sqrt(within_rows * within_columns)


def correlation_of(label, pred):
    """What Correlation is made of, of two arrays: one array with the numbers."""
    label, pred = (_ops["cast"](one, "float64").reshape((-1,)) for one in (label, pred))
    of_label, of_pred = _ops["mean"](label), _ops["mean"](pred)
    label, pred = label - of_label, pred - of_pred
    count = _ops["full"]((), float(label.size), "float64", device=label.device)
    squares = [_ops["sum"](one) for one in (label * label, pred * pred, label * pred)]
    return _ops["stack"]([count, of_label, of_pred, *squares])


class Correlation:
    """Means of two rows of numbers, and sums of products of their distances from these."""

    def __init__(self, count=0.0, first=0.0, second=0.0, squares=0.0, others=0.0, both=0.0):
        self.count, self.first, self.second = count, first, second
        self.squares, self.others, self.both = squares, others, both

    def add(self, other):
        """Those of further numbers."""
        count = self.count + other.count
        first, second = other.first - self.first, other.second - self.second
        share = self.count * other.count / count
        self.squares += other.squares + first * first * share
        self.others += other.others + second * second * share
        self.both += other.both + first * second * share
        self.first += first * other.count / count
        self.second += second * other.count / count
        self.count = count

    def value(self):
        """The correlation; nan if one of the rows is of equal numbers."""
        divisor = math.sqrt(self.squares) * math.sqrt(self.others)
        return self.both / divisor if divisor else float("nan")
