"""Sharing and copying in the torch dialect: every form of indexing and of changing a shape, with a
write through the result and one through the source, against what the real PyTorch 2.15.0 did.

The forms are in tests/conformance/torch_views.py; record_torch_views.py beside it recorded the
table. What differs is named below, with why.
"""

import json
import pathlib
import sys

import penstock
import pytest
from penstock import torch

CONFORMANCE = pathlib.Path(__file__).resolve().parents[2] / "conformance"
sys.path.append(str(CONFORMANCE))

import torch_views  # noqa: E402

RECORDED = {
    tuple(row[:2]): row[2]
    for row in json.loads((CONFORMANCE / "vectors" / "torch_views.json").read_text())
}


def test_every_form_was_recorded():
    assert list(RECORDED) == list(torch_views.forms())
    assert len(RECORDED) > 500


# Functions that are not here say so.
ABSENT = ("as_strided", "unfold", "view_as_real", "diag_embed", "adjoint", "resolve_conj")
ABSENT += ("x.view(torch.int32)",)

# A list of lists is one array of indices, as in NumPy; in PyTorch a tuple of several. There an
# ellipsis may come twice.
OTHERWISE = {"x[[[0, 1], [2, 3]]]", "x[[[0], [1]]]", "x[[[0, 1], [1, 2]]]", "x[..., ...]"}

# Here a copy: conjugates of complex numbers.
COPIES = {("complex", "x.conj()")}

# How many writes are counted differs: a new shape of the tensor itself is none here, copies have a
# count of their own.
UNCOUNTED = (*("squeeze_(", "unsqueeze_(", "transpose_(", "t_(", "swapaxes_("), "copy.", "index_", "block_diag")


def seen(name, form):
    """What a form gives here; errors about values are over afterwards."""
    found = torch_views.seen(torch, name, form)
    while "raises" in found:
        try:
            penstock.waitall()
            break
        except LookupError:
            pass
    return found


def is_right(name, form, found, wanted):
    """The same, or an exception of at least the same classes, or what is known to differ."""
    if form in OTHERWISE:
        return True
    if "raises" in wanted:
        if set(wanted["raises"]) <= set(found.get("raises", ())):
            return True
        return is_absent(form, found)
    if found == wanted or is_absent(form, found):
        return True
    if (name, form) in COPIES:
        return found["values"] == wanted["values"]
    if "write" in found and "write" not in wanted:
        return is_refused(form, found, wanted)
    if any(part in form for part in UNCOUNTED):
        return {**found, "writes": None} == {**wanted, "writes": None}
    return False


def is_absent(form, found):
    kinds = found.get("raises", ())
    known = any(part in form for part in ABSENT)
    return known and ("AttributeError" in kinds or "NotImplementedError" in kinds)


def is_refused(form, found, wanted):
    """A write to elements that stand in several places raises here, and changes nothing."""
    several = any(part in form for part in ("expand", "broadcast", "meshgrid"))
    same = all(found[key] == wanted[key] for key in ("values", "result", "dtype"))
    return several and same and found["writes"] == [1, 1]


@pytest.mark.parametrize("source", torch_views.SOURCES)
def test_forms_share_as_in_torch(source):
    wrong = []
    for (name, form), wanted in RECORDED.items():
        if name != source:
            continue
        found = seen(name, form)
        if not is_right(name, form, found, wanted):
            wrong.append(f"{form}\n  real {wanted}\n  ours {found}")
    assert not wrong, "\n".join(wrong)
