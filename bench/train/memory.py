"""How far the memory of a process grows in a loop of learning: each number of batches in a process
of its own, and a picture of all of them."""

import os
import subprocess
import sys

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
    story = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "python", "story")
    sys.path.append(os.path.abspath(story))
    from chart import Scale
    from svg import FILLS, Canvas

    note = "1024x512 batches copied in from NumPy, layers of 2048, 512 and 1, SGD"
    canvas = Canvas(860, 520, "Memory of a loop that never waits", note)
    canvas.text(30, 34, "Memory of a loop that never waits", "title")
    canvas.text(30, 57, note, "quiet")
    found = [value for curve in curves.values() for value in curve if value]
    across, up = Scale(counts, 90, 620), Scale([*found, 1, 100], 450, 100)
    for value in up.powers():
        canvas.line(90, up(value), 620, up(value), "grid")
        canvas.text(80, up(value) + 4, f"{value:,.0f} MB", "quiet", "end")
    for count in counts:
        canvas.text(across(count), 472, f"{count:,}", "quiet", "middle")
    canvas.text(355, 500, "batches", "", "middle")
    colours = [*FILLS, "#20262e"]  # one for each library, and for ours that waits
    for i, (name, curve) in enumerate(curves.items()):
        colour = colours[i % len(colours)]
        points = [(across(c), up(max(v, 1))) for c, v in zip(counts, curve) if v is not None]
        canvas.curve(points, colour)
        for point in points:
            canvas.dot(*point, colour)
        canvas.curve([(640, 110 + 26 * i), (674, 110 + 26 * i)], colour)
        canvas.text(684, 114 + 26 * i, name, "quiet")
    with open(path, "w", encoding="utf-8") as out:
        out.write(str(canvas))
    print("written: " + path)
