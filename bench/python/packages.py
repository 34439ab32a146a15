"""What a library costs before it computes anything: the time of an import, and the space it takes.
Every import is a process of its own, and what a bare interpreter takes is subtracted."""

import glob
import os
import subprocess
import time
import zipfile

IMPORTS = {
    "penstock": "import penstock as ps",
    "numpy": "import numpy as np",
    "torch": "import torch",
    "jax": "import jax.numpy as jnp",
    "mlx": "import mlx.core as mx",
}
FIRSTS = {
    "penstock": "(ps.array([1.0, 2.0]) + 1).wait_to_read()",
    "numpy": "np.array([1.0, 2.0]) + 1",
    "torch": "torch.tensor([1.0, 2.0]) + 1",
    "jax": "(jnp.array([1.0, 2.0]) + 1).block_until_ready()",
    "mlx": "mx.eval(mx.array([1.0, 2.0]) + 1)",
}
DISTRIBUTIONS = {"numpy": ("numpy",), "torch": ("torch",), "jax": ("jax", "jaxlib"),
                 "mlx": ("mlx", "mlx-cpu")}

RUNS = 10
RUNS_S = 1.0  # no more than one run beyond this

SIZES = """
import importlib.metadata, os, sys
files = [f.locate() for name in sys.argv[1:] for f in importlib.metadata.files(name)]
print(sum(os.path.getsize(f) for f in files if os.path.exists(f)))
"""


def run_s(python, env, code):
    start = time.perf_counter()
    subprocess.run([python, "-c", code], env=env, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def import_ms(python, env, library, first):
    """Milliseconds, or None if it cannot be imported. A first run fills the caches."""
    if library not in IMPORTS:
        return None
    code = IMPORTS[library] + ("; " + FIRSTS[library] if first else "")
    try:
        run_s(python, env, code)
    except subprocess.CalledProcessError:
        return None
    found, bare = [], []
    end = time.perf_counter() + RUNS_S
    while len(found) < RUNS and (not found or time.perf_counter() < end):
        found.append(run_s(python, env, code))
        bare.append(run_s(python, env, "pass"))
    return 1e3 * (min(found) - min(bare))


def installed_mb(python, env, library):
    """Megabytes of a peer's own files, not of what it depends on."""
    if library not in DISTRIBUTIONS:
        return None
    done = subprocess.run([python, "-c", SIZES, *DISTRIBUTIONS[library]], env=env, check=True,
                          stdout=subprocess.PIPE, text=True)
    return int(done.stdout) / 1e6


def wheel_mb(folder):
    """Of our newest wheel, by row: compressed, unpacked, unpacked without libraries of others."""
    wheels = glob.glob(os.path.join(folder, "penstock-*.whl"))
    if not wheels:
        return {}
    wheel = max(wheels, key=os.path.getmtime)
    with zipfile.ZipFile(wheel) as archive:
        sizes = {member.filename: member.file_size for member in archive.infolist()}
    own = [size for name, size in sizes.items() if ".libs/" not in name and "openblas" not in name]
    return {"wheel": os.path.getsize(wheel) / 1e6, "installed": sum(sizes.values()) / 1e6,
            "installed_own": sum(own) / 1e6}
