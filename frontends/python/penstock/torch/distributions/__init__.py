"""torch.distributions: numbers by their probabilities, drawn from torch's default generator.

Numbers that are given as parameters are checked; tensors only with validate_args=True, because that
waits for them.

>>> from penstock import torch
>>> torch.distributions.Normal(0.0, 1.0)
Normal(loc: 0.0, scale: 1.0)
"""

from .. import _missing
from .bernoulli import Bernoulli
from .binomial import Binomial
from .categorical import Categorical
from .distribution import Distribution
from .exponential import Exponential
from .multinomial import Multinomial
from .normal import Normal
from .poisson import Poisson
from .uniform import Uniform

__all__ = [
    "Bernoulli",
    "Binomial",
    "Categorical",
    "Distribution",
    "Exponential",
    "Multinomial",
    "Normal",
    "Poisson",
    "Uniform",
]

__getattr__ = _missing.missing("torch.distributions")
