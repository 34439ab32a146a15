"""Optimisers, metrics and states of both, live: `mxnet_training.py real|ours FOLDER` runs one.

It answers with a line of JSON: the steps of optimisers (mxnet_optimizers.py), the figures of metrics
(mxnet_metrics.py), and how training goes on from the states that are in the folder. Those that it
has itself after some steps it writes there first.
"""

import json
import os
import subprocess
import sys
import warnings

import mxnet_metrics
import mxnet_optimizers
import runner

LIMIT = 300  # seconds: only ends what hangs
STATES = {
    "sgd": {"momentum": 0.9},
    "adam": {},
    "rmsprop": {"centered": True},
    "ftrl": {},
    "nadam": {},
    "lbsgd": {"batch_scale": 3},
}


def trained(mx, name, states=None):
    """An updater after a few steps, perhaps from states, and what the weights became."""
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1)
    made = mx.optimizer.create(name, learning_rate=0.1, lr_scheduler=schedule, **STATES[name])
    updater = mx.optimizer.get_updater(made)
    if states is not None:
        updater.set_states(states)
    weights = [mx.nd.array([1, 2, 3]), mx.nd.array([[1, 2], [3, 4]])]
    for _ in range(4):
        updater([0, 1], [weight * 0.5 for weight in weights], weights)
    return updater, [float(x) for weight in weights for x in weight.asnumpy().ravel()]


def answers(mx, which, folder):
    """All that is compared, by name."""
    found = {}
    for case in mxnet_optimizers.cases():
        found["optimizer " + ", ".join(case)] = mxnet_optimizers.answer(mx, *case)
    for case in mxnet_metrics.CASES:
        found[f"metric {case}"] = mxnet_metrics.answer(mx, *case)
    for name in STATES:
        for both in (False, True):
            path = os.path.join(folder, f"{name}-{both}")
            with open(f"{path}-{which}", "wb") as file:
                file.write(trained(mx, name)[0].get_states(both))
            for by in ("real", "ours"):
                if os.path.exists(f"{path}-{by}"):
                    with open(f"{path}-{by}", "rb") as file:
                        later = trained(mx, name, file.read())[1]
                    found[f"states {name}, {both}, by {by}"] = later
    return found


def alike(real, ours, relative):
    """Whether two answers are the same, but for the last digits of numbers."""
    if isinstance(real, dict):
        return "raises" in real or alike(list(real.values()), list(ours.values()), relative)
    if isinstance(real, list):
        return len(real) == len(ours) and all(alike(*one, relative) for one in zip(real, ours))
    if isinstance(real, float) and isinstance(ours, float):
        both_nan = real != real and ours != ours
        return both_nan or abs(real - ours) <= relative * abs(real) + 1e-6
    return real == ours


def run_one(which, python, folder, package=None):
    folders = [os.path.dirname(os.path.abspath(__file__)), *([package] if package else [])]
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(map(os.path.abspath, folders)))
    command = [python, "-W", "ignore", os.path.abspath(__file__), which, folder]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=LIMIT)
    if done.returncode != 0:
        raise RuntimeError(f"{which} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def compare_all(both, real_python, package, folder):
    """Adds a note for each answer that differs; each goes on from the other's states once."""
    try:
        run_one("real", real_python, folder)
        ours = run_one("ours", sys.executable, folder, package)
        real = run_one("real", real_python, folder)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        both.notes.append(f"training: {error}")
        return
    for name, answer in real.items():
        if not alike(answer, ours[name], 2e-3 if "float16" in name else 1e-5):
            both.notes.append(f"{name}:\n    real: {answer}\n    ours: {ours[name]}")
    print(f"{len(real)} answers of optimisers and metrics", flush=True)


def main():
    warnings.simplefilter("ignore")
    which, folder = sys.argv[1:]
    print(json.dumps(answers(runner.library(which), which, folder)))


if __name__ == "__main__":
    main()
