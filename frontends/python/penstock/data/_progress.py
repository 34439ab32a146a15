"""A line that shows how far an iteration has come."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

# Seconds between two changes of a line on a terminal.
_INTERVAL = 0.1


class Progress:
    """What progress gives: iterates, and shows figures.

    >>> import io
    >>> text = io.StringIO()
    >>> for i in (bar := ps.data.progress(range(3), "counting", file=text, plain=True)):
    ...     bar.show(i=i)
    >>> text.getvalue().startswith("counting: 3/3 100%")
    True
    """

    def show(self, **figures: Any) -> None:
        """Figures at the end of the line, by name. An array among them is waited for."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


def progress(
    iterable: Iterable[Any],
    description: str = "",
    *,
    total: int | None = None,
    file: Any = None,
    plain: bool = False,
) -> Progress:
    """Iterate, with a line on stderr that shows how far it is: by tqdm where that is installed.

    `show` of what it gives adds figures to the line. Without tqdm, or with plain, the line is
    rewritten on a terminal; elsewhere it is written once, at the end.

    >>> import io
    >>> for i in ps.data.progress(range(3), "reading", file=io.StringIO(), plain=True):
    ...     print(i)
    0
    1
    2
    """
    if total is None:
        total = len(iterable) if hasattr(iterable, "__len__") else None
    if not plain:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            return _OfTqdm(tqdm(iterable, desc=description or None, total=total, file=file))
    return _Line(iterable, description, total, sys.stderr if file is None else file)


def _shown(value: Any) -> str:
    if isinstance(value, int):
        return str(value)
    try:
        return f"{float(value):.4g}"
    except (TypeError, ValueError):
        return str(value)


class _OfTqdm(Progress):
    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def show(self, **figures: Any) -> None:
        shown = {name: _shown(value) for name, value in figures.items()}
        self._bar.set_postfix(shown, refresh=False)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._bar)


class _Line(Progress):
    def __init__(self, iterable: Any, description: str, total: int | None, file: Any) -> None:
        self._iterable = iterable
        self._head = f"{description}: " if description else ""
        self._total = total
        self._file = file
        self._rewrites = getattr(file, "isatty", lambda: False)()
        self._figures: dict[str, Any] = {}
        self._last = ""  # what stands on the line

    def show(self, **figures: Any) -> None:
        self._figures.update(figures)

    def __iter__(self) -> Iterator[Any]:
        from time import monotonic

        count, begin = 0, monotonic()
        shown = begin
        for item in self._iterable:
            yield item
            count += 1
            now = monotonic()
            if self._rewrites and now - shown >= _INTERVAL:
                shown = now
                self._write(self._text(count, now - begin), "")
        self._write(self._text(count, monotonic() - begin), "\n")

    def _text(self, count: int, seconds: float) -> str:
        of = f"/{self._total} {100 * count // (self._total or 1)}%" if self._total else ""
        figures = "".join(f", {name} {_shown(value)}" for name, value in self._figures.items())
        return f"{self._head}{count}{of} in {seconds:.1f} s{figures}"

    def _write(self, text: str, end: str) -> None:
        blank = " " * max(0, len(self._last) - len(text))
        self._last = text
        self._file.write(f"{chr(13) if self._rewrites else ''}{text}{blank}{end}")
        self._file.flush()
