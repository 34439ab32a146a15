"""Where the peers live: a virtual environment that is made at the first run, and the settings under
which all programs run."""

import os
import subprocess
import sys

# What to import for each library, and what to install for that.
MODULES = {"numpy": "numpy", "torch": "torch", "jax": "jax", "mlx": "mlx.core"}
PACKAGES = {"numpy": ("numpy", "threadpoolctl"), "torch": ("torch",), "jax": ("jax",),
            "mlx": ("mlx[cpu]",)}

# Settings that would change a library's defaults.
DROPPED = ("PENSTOCK_", "OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "JAX_", "XLA_", "TORCH", "MLX_")


def has_module(python, module):
    return subprocess.run([python, "-c", f"import {module}"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def install(python, packages):
    print("installing for the peers: " + " ".join(packages), flush=True)
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print("  failed: " + (done.stdout.strip().splitlines() or ["no reason given"])[-1])


def make_environment(folder, wanted):
    """The environment's Python, and which of the wanted libraries it can import."""
    python = os.path.join(folder, "bin", "python")
    if not os.access(python, os.X_OK):
        made = subprocess.run([sys.executable, "-m", "venv", folder], check=False)
        if made.returncode != 0:
            print("no virtual environment: no peers (Debian: python3-venv)")
            return python, []
    libraries = []
    for library in wanted:
        if not has_module(python, MODULES[library]):
            install(python, PACKAGES[library])
        if has_module(python, MODULES[library]):
            libraries.append(library)
        else:
            print(f"{library} cannot be imported: left out")
    # Inputs are made with NumPy in all peers.
    return python, libraries if "numpy" in libraries else []


def settings(scratch):
    """The variables that a program sees. `scratch` is a folder for what compilers leave."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(DROPPED)}
    return kept | {"JAX_PLATFORMS": "cpu", "TORCHINDUCTOR_CACHE_DIR": scratch}


def processor_seconds():
    """All there were since the start, and those used by what is neither us nor our children."""
    with open("/proc/stat", encoding="ascii") as stat:
        ticks = [int(t) / os.sysconf("SC_CLK_TCK") for t in stat.readline().split()[1:9]]
    idle = ticks[3] + ticks[4]
    return sum(ticks), sum(ticks) - idle - sum(os.times()[:4])
