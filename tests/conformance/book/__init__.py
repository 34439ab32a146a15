"""The PyTorch programs of *Dive into Deep Learning* 1.0.3, on penstock.torch and on PyTorch 2.15.0.

    make conformance-book BOOK=<folder of the book's sources>

sections.py picks the programs, changes.py holds all that is changed of them, stand_ins.py makes
the files that they would download, run_section.py runs one, run.py all of them in both."""
