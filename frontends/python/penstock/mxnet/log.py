"""mx.log: loggers whose lines tell level, time, process and place; in colour outside of files."""

import logging

from ._missing import missing

__all__ = [
    "CRITICAL",
    "DEBUG",
    "ERROR",
    "INFO",
    "NOTSET",
    "WARNING",
    "getLogger",
    "get_logger",
]

CRITICAL = logging.CRITICAL
ERROR = logging.ERROR
WARNING = logging.WARNING
INFO = logging.INFO
DEBUG = logging.DEBUG
NOTSET = logging.NOTSET

_COLOURS = {DEBUG: 34, INFO: 32}
_RED = 31


class _Lines(logging.Formatter):
    """A head such as I1116 23:21:07 27296 file.py:function:26] before each message."""

    def __init__(self, coloured):
        super().__init__(datefmt="%m%d %H:%M:%S")
        self.coloured = coloured

    def format(self, record):
        place = f"{record.pathname}:{record.funcName}:{record.lineno}"
        head = f"{record.levelname[0]}{self.formatTime(record, self.datefmt)}"
        head += f" {record.process} {place}]"
        if self.coloured:
            head = f"\x1b[{_COLOURS.get(record.levelno, _RED)}m{head}\x1b[0m"
        text = f"{head} {record.getMessage()}"
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return text


def get_logger(name=None, filename=None, filemode=None, level=WARNING):
    """A logger, one for each name, that writes to a file or to the standard error."""
    logger = logging.getLogger(name)
    if name is not None and not getattr(logger, "_has_handler", False):
        if filename:
            handler = logging.FileHandler(filename, filemode or "a")
        else:
            handler = logging.StreamHandler()
        handler.setFormatter(_Lines(coloured=not filename))
        logger.addHandler(handler)
        logger._has_handler = True
        logger.setLevel(level)
    return logger


def getLogger(name=None, filename=None, filemode=None, level=WARNING):
    """get_logger by its older name."""
    return get_logger(name, filename, filemode, level)


__getattr__ = missing("mxnet.log")
