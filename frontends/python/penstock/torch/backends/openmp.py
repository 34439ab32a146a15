"""A library that torch uses on the host, and that is not used here."""


def is_available():
    """Whether it is used: never."""
    return False
