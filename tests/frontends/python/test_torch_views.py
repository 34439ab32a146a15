"""Sharing and copying in the torch dialect: every form of indexing and of changing a shape, with a
write through the result and one through the source, against what the real PyTorch 2.15.0 did.

The forms are in tests/conformance/torch_views.py; record_torch_views.py beside it recorded the
table.
"""

import json
import pathlib
import sys

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


def is_right(found, wanted):
    """The same, or an exception of at least the same classes."""
    if "raises" in wanted:
        return set(wanted["raises"]) <= set(found.get("raises", ()))
    return found == wanted


@pytest.mark.parametrize("source", torch_views.SOURCES)
def test_forms_share_as_in_torch(source):
    wrong = []
    for (name, form), wanted in RECORDED.items():
        if name != source:
            continue
        found = torch_views.seen(torch, name, form)
        if not is_right(found, wanted):
            wrong.append(f"{form}\n  real {wanted}\n  ours {found}")
    assert not wrong, "\n".join(wrong)
