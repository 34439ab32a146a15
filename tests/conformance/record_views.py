"""Writes vectors/views.json: which forms share elements in the real MXNet 1.9.1.

    python record_views.py

in an environment that has MXNet 1.9.1 and numpy < 1.24.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import views  # noqa: E402


def record():
    """Rows of kind, shape, form and what was seen."""
    import mxnet

    rows = []
    for kind in ("nd", "np"):
        mxnet.npx.set_np() if kind == "np" else mxnet.npx.reset_np()
        for of, name, form in views.forms():
            if of == kind:
                rows.append([kind, name, form, views.seen(mxnet, kind, name, form)])
    return rows


def main():
    rows = record()
    text = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    (HERE / "vectors" / "views.json").write_text(f"[\n{text}\n]\n")
    print(f"{len(rows)} forms")


if __name__ == "__main__":
    main()
