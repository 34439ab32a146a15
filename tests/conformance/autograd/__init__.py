"""Random programs with gradients: against PyTorch, and against themselves.

    programs.py    makes them, of the steps in steps.py
    rows.py        what steps do, and programs as text that can be run
    ours.py        runs them on penstock
    reference.py   runs them on PyTorch
    compare.py     holds answers against each other, and makes programs smaller that differ
    run.py         `make conformance-autograd`: thousands of them
    record.py      a few hundred with PyTorch's answers, for test_autograd_programs.py
    bits.py        what they give, to the last bit, however they are run
"""
