"""Bytes as C source."""


def c_text(data):
    """A C string: printable bytes as they are, others in octal."""
    special = {10: "\\n", 34: '\\"', 63: "\\?", 92: "\\\\"}
    out = [special.get(b) or (chr(b) if 32 <= b < 127 else "\\%03o" % b) for b in data]
    lines = ["".join(out[i:i + 72]) for i in range(0, len(out), 72)] or [""]
    return "\n     ".join('"%s"' % line for line in lines)
