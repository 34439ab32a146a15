"""Files in the formats that the book's library reads, where it looks for what it downloaded."""

import hashlib
import io
import tarfile
import zipfile


def packed(path, files):
    """Writes `files`, bytes by name, as the archive that the path's ending says."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return
    with tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


def offer(d2l, tmp_path, monkeypatch, name, files):
    """Puts `files`, an archive's or the bytes of one, into the cache as `name` of the data hub.

    The library's download() finds them there: the hub is told their hash, and the working folder
    is beside the cache.
    """
    work, cache = tmp_path / "work", tmp_path / "data"
    work.mkdir(exist_ok=True)
    cache.mkdir(exist_ok=True)
    monkeypatch.chdir(work)
    url, _ = d2l.DATA_HUB[name]
    path = cache / url.split("/")[-1]
    if isinstance(files, dict):
        packed(path, files)
    else:
        path.write_bytes(files)
    digest = hashlib.sha1(path.read_bytes()).hexdigest()
    monkeypatch.setitem(d2l.DATA_HUB, name, (url, digest))
    return path
