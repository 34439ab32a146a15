"""paddle.distribution: random numbers by their probabilities.

>>> from penstock import paddle
>>> one = paddle.distribution.Multinomial(10, paddle.to_tensor([0.2, 0.8]))
>>> one.sample([3]).sum(axis=1).tolist()
[10.0, 10.0, 10.0]
"""

from .. import _missing
from ._continuous import Normal, Uniform
from ._discrete import Bernoulli, Categorical, Multinomial
from ._distribution import Distribution

__all__ = "Bernoulli Categorical Distribution Multinomial Normal Uniform".split()

__getattr__ = _missing.missing("paddle.distribution")
