"""Files in folders: a folder is a class, and its files are the items of that class."""

import os

EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def classes_in(folder):
    """The names of the folders in a folder, in order."""
    return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())


def files_below(folder, wanted):
    """The paths of all files below a folder for which wanted(path) is true, in order."""
    found = []
    for place, _, names in sorted(os.walk(folder, followlinks=True)):
        found += filter(wanted, (os.path.join(place, name) for name in sorted(names)))
    return found
