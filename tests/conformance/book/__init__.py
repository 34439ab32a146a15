"""The programs of *Dive into Deep Learning* on the dialects and on what they are dialects of.

    make conformance-book BOOK=<folder of the book's sources> [DIALECT=torch|paddle]

PyTorch's programs are those of version 1.0.3 (d2l-en), PaddlePaddle's those of the Chinese edition
(d2l-zh), with d2l 0.17.6. dialects.py says what is unlike between the two; sections.py picks the
programs; changes.py, and of PaddlePaddle's changes_paddle.py, hold all that is changed of them;
stand_ins.py and stand_ins_paddle.py make the files that they would download; run_section.py runs
one, run.py all of them in both."""
