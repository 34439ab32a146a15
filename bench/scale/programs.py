"""The programs of the scaling benchmark: each library with each number of workers is a process of its
own. By default it is confined to as many processors: a library's own threads and the one that calls
it then share these, whatever the library counts as a worker."""

import os

from common.environment import make_environment, settings
from common.processors import bound_to
from common.program import Program
from common.report import OURS

HERE = os.path.dirname(os.path.abspath(__file__))

SYNC = "sync"  # ours, with nothing asynchronous

# The variables that tell a library its number of threads.
THREADS = {
    OURS: ("PENSTOCK_WORKERS",),
    "numpy": ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"),
    "torch": ("OMP_NUM_THREADS", "MKL_NUM_THREADS"),
    "jax": ("NPROC",),
    "openmp": ("OMP_NUM_THREADS",),
}


class Maker:
    def __init__(self, options, scratch):
        self.options = options
        self.python, self.libraries = make_environment(options.venv, ("numpy", "torch", "jax"))
        self.env = {k: v for k, v in settings(scratch).items() if k != "PYTHONPATH"}
        self.env["PYTHONWARNINGS"] = "ignore"

    def program(self, name, library, workers, command, seconds, extra=None):
        env = self.env | {key: str(workers) for key in THREADS[library]} | (extra or {})
        command = [*command, "--seconds", str(0.03 if self.options.quick else seconds)]
        bound = command if self.options.unbound else bound_to(workers, command)
        return Program(name, bound, env)

    def script(self, library):
        return [self.python, os.path.join(HERE, "library.py"), library]

    def ours(self, name, workers, seconds, mode):
        extra = {"PYTHONPATH": os.path.abspath(self.options.package), "PENSTOCK_ENGINE": mode}
        return self.program(name, OURS, workers, self.script(OURS), seconds, extra)

    def c_program(self, name):
        path = os.path.join(self.options.programs, "bench_scale_" + name)
        return path if os.access(path, os.X_OK) else None

    def table(self, workers, peers):
        """Ours and the peers that are there."""
        found = [self.ours(OURS, workers, 0.2, "async")]
        for peer in peers:
            library = peer.partition("_")[0]
            if library in self.libraries:
                found.append(self.program(peer, library, workers, self.script(peer), 0.2))
        openmp = self.c_program("openmp")
        if openmp:
            found.append(self.program("openmp", "openmp", workers, [openmp], 0.2))
        return found

    def steps(self, workers):
        """Ours, asynchronous and not, by name."""
        modes = {OURS: "async", SYNC: "sync"}
        return {name: self.ours(name, workers, 0.05, mode) for name, mode in modes.items()}

    def engine(self):
        path = self.c_program("engine")
        return Program(OURS, [path, "--seconds", "0.3"], self.env) if path else None
