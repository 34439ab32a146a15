"""Random programs over torch: the same answers from ours and from the real PyTorch 2.15.0.

families/ makes the programs, differences.py says which differences stay and why; the rest is in
dialect_programs."""
