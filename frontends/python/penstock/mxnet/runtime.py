"""mx.runtime: what the library was built with.

>>> from penstock import mxnet as mx
>>> mx.runtime.Features().is_enabled("CUDA")
False
"""

from collections import OrderedDict

from ._missing import missing

__all__ = ["Feature", "Features", "feature_list"]

# The names that MXNet 1.9.1 has, in its order.
_NAMES = """
CUDA CUDNN NCCL CUDA_RTC TENSORRT CPU_SSE CPU_SSE2 CPU_SSE3 CPU_SSE4_1 CPU_SSE4_2 CPU_SSE4A
CPU_AVX CPU_AVX2 OPENMP SSE F16C JEMALLOC BLAS_OPEN BLAS_ATLAS BLAS_MKL BLAS_APPLE LAPACK MKLDNN
OPENCV CAFFE PROFILER DIST_KVSTORE CXX14 INT64_TENSOR_SIZE SIGNAL_HANDLER DEBUG TVM_OP
""".split()

# Of these, what is so here whatever the machine: shapes count in 64 bits, and operations can be
# traced.
_ALWAYS = {"INT64_TENSOR_SIZE", "PROFILER"}
_ON_X86 = {"CPU_SSE", "CPU_SSE2"}


class Feature:
    """Something that may be built in: its name, and whether it is."""

    __module__ = "mxnet.runtime"
    __slots__ = ("name", "enabled")

    def __init__(self, name, enabled):
        self.name, self.enabled = name, enabled

    def __repr__(self):
        return f"{'✔' if self.enabled else '✖'} {self.name}"


def _is_enabled(name):
    if name in _ALWAYS:
        return True
    if name in _ON_X86:
        import platform

        return platform.machine() in ("x86_64", "AMD64")
    if name.startswith("BLAS_"):
        return _multiplies(name.removeprefix("BLAS_").lower())
    return False


def _multiplies(name):
    """Whether matrices are multiplied by the library of this name."""
    from .. import engine

    found = engine.blas().name or ""
    return name in found.lower()


def feature_list():
    """All features in a list."""
    return [Feature(name, _is_enabled(name)) for name in _NAMES]


class Features(OrderedDict):
    """All features by name; there is one such dictionary."""

    __module__ = "mxnet.runtime"
    instance = None

    def __new__(cls):
        if cls.instance is None:
            made = super().__new__(cls)
            OrderedDict.__init__(made, [(one.name, one) for one in feature_list()])
            cls.instance = made
        return cls.instance

    def __init__(self):
        """Filled when it was made."""

    def __repr__(self):
        return str(list(self.values()))

    def is_enabled(self, feature_name):
        """Whether a feature is built in, by its name in any case; RuntimeError if there is none."""
        name = feature_name.upper()
        if name not in self:
            raise RuntimeError(
                f"there is no feature '{name}', but there are {list(self.keys())}"
            )
        return self[name].enabled


__getattr__ = missing("mxnet.runtime")
