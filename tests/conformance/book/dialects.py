"""The dialects that have programs in the book, and what the runs of each need to know."""


class Book:
    """A dialect's part of the book."""

    def __init__(self, name, tab, real, edition, folder, changes, stand_ins):
        self.name = name  # as programs import it
        self.tab = tab  # what its cells are marked with
        self.real = real  # what it is a dialect of
        self.edition = edition
        self.folder = folder
        self.changes = changes
        self.stand_ins = stand_ins


BOOKS = {
    "torch": Book(
        "torch",
        "pytorch",
        "PyTorch 2.15.0",
        "d2l-en, version 1.0.3",
        "book",
        "book.changes",
        "book.stand_ins",
    ),
    "paddle": Book(
        "paddle",
        "paddle",
        "PaddlePaddle 3.3.1",
        "d2l-zh",
        "book-paddle",
        "book.changes_paddle",
        "book.stand_ins_paddle",
    ),
}
