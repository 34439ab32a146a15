"""Files of well-known sets of pictures, as arrays of NumPy. Nothing is downloaded.

`error` is the class of what is raised for a file that is damaged.
"""

import os
from struct import unpack_from


def missing(what, path):
    """The exception for a file that is not there."""
    return FileNotFoundError(
        f"{what}: there is no file {path}; put it there: nothing is downloaded"
    )


def _name(dataset):
    return dataset if isinstance(dataset, str) else type(dataset).__name__


def read_idx(dataset, root, name, ndim, error=ValueError):
    """The array of bytes that a file x.gz or x of MNIST's format has, of so many dimensions."""
    compressed, plain = os.path.join(root, f"{name}.gz"), os.path.join(root, name)
    if os.path.isfile(compressed):
        return idx_array(_unpacked(dataset, compressed, error), ndim, compressed, error)
    if os.path.isfile(plain):
        with open(plain, "rb") as file:
            return idx_array(file.read(), ndim, plain, error)
    raise missing(_name(dataset), compressed)


def _unpacked(dataset, path, error):
    import gzip
    from zlib import error as damaged

    try:
        with gzip.open(path, "rb") as file:
            return file.read()
    except (OSError, EOFError, damaged) as reason:
        raise error(f"{_name(dataset)}: {path} cannot be unpacked: {reason}") from None


def idx_array(data, ndim, path, error=ValueError):
    """Bytes of MNIST's format as an array: a magic number, lengths, and the elements."""
    import numpy

    start = 4 + 4 * ndim
    if len(data) < start or unpack_from(">I", data)[0] != 0x800 + ndim:
        raise error(f"{path} is not an idx file of bytes with {ndim} dimensions")
    shape = unpack_from(f">{ndim}I", data, 4)
    count = 1
    for length in shape:
        count *= length
    if len(data) - start < count:
        raise error(f"{path} ends within its {count} elements")
    return numpy.frombuffer(data, "uint8", count, start).reshape(shape)


def read_cifar(dataset, root, archive, names, labels, error=ValueError):
    """Pictures (N, 32, 32, 3) and their labels (N, labels) out of files of CIFAR's format."""
    import numpy

    parts = [content(dataset, root, archive, name, error) for name in names]
    size = labels + 3072
    for name, data in zip(names, parts):
        if not data or len(data) % size:
            raise error(f"{_name(dataset)}: {name} does not have whole pictures")
    rows = numpy.concatenate([numpy.frombuffer(data, "uint8").reshape(-1, size) for data in parts])
    pixels = rows[:, labels:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return numpy.ascontiguousarray(pixels), rows[:, :labels]


def content(dataset, root, archive, name, error=ValueError):
    """The bytes of a file, in the folder or in the archive that is there."""
    path, packed = os.path.join(root, name), os.path.join(root, archive)
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return file.read()
    if not os.path.isfile(packed):
        raise missing(_name(dataset), path)
    import tarfile

    try:
        with tarfile.open(packed) as files:
            for member in files:
                if os.path.basename(member.name) == name and member.isfile():
                    return files.extractfile(member).read()
    except (tarfile.TarError, OSError, EOFError) as reason:
        raise error(f"{_name(dataset)}: {packed} cannot be unpacked: {reason}") from None
    raise error(f"{_name(dataset)}: {packed} has no file {name}")
