"""The host's processor."""


def get_cpu_capability():
    """What torch says of a processor whose instructions it does not know."""
    return "DEFAULT"
