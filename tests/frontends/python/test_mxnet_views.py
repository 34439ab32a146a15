"""Sharing and copying in the MXNet dialect: every form of indexing and of changing a shape, with a
write through the result and one through the source, against what the real MXNet 1.9.1 did.

The forms are in tests/conformance/views.py; record_views.py beside it recorded the table.
"""

import json
import pathlib
import sys

import pytest

from penstock import mxnet as mx

CONFORMANCE = pathlib.Path(__file__).resolve().parents[2] / "conformance"
sys.path.append(str(CONFORMANCE))

import views  # noqa: E402

RECORDED = {
    tuple(row[:3]): row[3]
    for row in json.loads((CONFORMANCE / "vectors" / "views.json").read_text())
}

# Forms that the real MXNet lacks and these arrays have.
MORE = {"np": ("x.ravel()",)}


@pytest.fixture(autouse=True)
def numpy_mode():
    yield
    mx.npx.reset_np()


def test_every_form_was_recorded():
    assert list(RECORDED) == list(views.forms())


@pytest.mark.parametrize("kind", ["nd", "np"])
def test_forms_share_as_in_mxnet(kind):
    mx.npx.set_np() if kind == "np" else mx.npx.reset_np()
    wrong = []
    for (of, name, form), wanted in RECORDED.items():
        if of != kind or form in MORE.get(kind, ()):
            continue
        found = views.seen(mx, kind, name, form)
        if "raises" in wanted:
            right = set(wanted["raises"]) <= set(found.get("raises", ()))
        else:
            right = found == wanted
        if not right:
            wrong.append(f"{kind} {views.SHAPES[name]} {form}\n  real {wanted}\n  ours {found}")
    assert not wrong, "\n".join(wrong)
