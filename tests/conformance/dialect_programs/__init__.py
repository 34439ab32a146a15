"""Random programs over a dialect: the same answers from ours and from the library that it imitates.

maker.py has what programs are made of, families.py makes them, runner.py runs them in one library,
compare.py finds where two answers differ, rules.py says which of these stay, run.py does it all.
What is a dialect's own is in a package of its name: torch_programs, paddle_programs."""
