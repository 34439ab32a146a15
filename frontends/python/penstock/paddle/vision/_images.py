"""Pictures of files, as Pillow's."""

_backend = ["pil"]


def set_image_backend(backend):
    """What pictures are from now on: only Pillow's are here."""
    if backend not in ("pil", "cv2", "tensor"):
        raise ValueError(
            f"Expected backend are one of ['pil', 'cv2', 'tensor'], but got {backend}"
        )
    if backend == "tensor":
        raise NotImplementedError("paddle.vision: the backend 'tensor' is not here")
    _backend[0] = backend


def get_image_backend():
    """What pictures are."""
    return _backend[0]


def image_load(path, backend=None):
    """The picture of a file: Pillow's, or with the backend cv2 an array (H, W, BGR) of NumPy's."""
    from ..._pictures.pillow import pillow

    kind = _backend[0] if backend is None else backend
    if kind not in ("pil", "cv2"):
        raise ValueError(f"Expected backend are one of ['pil', 'cv2'], but got {kind}")
    picture = pillow().open(path)
    if kind == "pil":
        return picture
    import numpy

    return numpy.ascontiguousarray(numpy.asarray(picture.convert("RGB"))[:, :, ::-1])
