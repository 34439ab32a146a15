"""Random programs over Paddle: the same answers from ours and from the real PaddlePaddle 3.3.1.

families/ makes the programs, differences.py says which differences stay and why; the rest is in
dialect_programs."""
