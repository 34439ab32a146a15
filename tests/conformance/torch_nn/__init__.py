"""Layers and functions of torch.nn, run in the real torch and in ours: cases and a runner."""
