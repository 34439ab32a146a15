"""The public names of PyTorch 2.15.0: recorded by tests/conformance/record_torch_names.py, never edited."""

NAMES = {}
