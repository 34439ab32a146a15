"""Random programs over torch: the same answers from ours and from the real PyTorch 2.15.0.

families/ makes the programs, runner.py runs them in one library, compare.py finds where two answers
differ, differences.py says which of these stay and why, run.py does it all."""
