"""How far the memory of a process grows in a loop of learning: each number of batches in a process
of its own, and a picture of all of them."""

import subprocess

LIMIT_S = 3600
ROW = "1024x512x2048x512x1"


def resident(field):
    with open("/proc/self/status", encoding="ascii") as status:
        lines = [line for line in status if line.startswith(field + ":")]
    return int(lines[0].split()[1]) / 1e3


def growth(case, batches):
    """Megabytes: the largest resident size during the loop, less the size before it. Compilers have
    done their work by then."""
    case.learn(2)
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as control:
            control.write("5")  # the peak begins anew
    except OSError:
        pass
    before = resident("VmRSS")
    case.learn(batches)
    return resident("VmHWM") - before


def measure(python, script, name, kind, batches, env):
    """In a process; None if it fails."""
    command = [python, script, name, "--memory", f"{kind}.{ROW}", "--batches", str(batches)]
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False,
                              timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return None
    return float(done.stdout) if done.returncode == 0 and done.stdout.strip() else None


def draw(path, counts, curves):
    """`curves` has the growth by name, one for each count; None where it is not known."""
    from common import picture

    drawn = [picture.Curve(name, [(c, max(v, 1)) for c, v in zip(counts, curve) if v is not None],
                           picture.COLOURS[i % len(picture.COLOURS)])
             for i, (name, curve) in enumerate(curves.items())]
    picture.draw(path, "Memory of a loop that never waits",
                 "1024x512 batches copied in from NumPy, layers of 2048, 512 and 1, SGD",
                 picture.Axis("batches", lambda count: f"{count:,}", marks=counts),
                 picture.Axis("growth", lambda value: f"{value:,.0f} MB", reach=(1, 100)), drawn)
    print("written: " + path)
