"""Where a command writes: which stream, how wide, and whether a picture may move on it.

With `--json` the last line of standard output belongs to the program that reads it, so that
everything for people goes to standard error.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from se_agent.report.live import LiveView, PlainView

_WIDTH = 120  # columns where nobody says how many there are
_WHOLE = 10_000  # columns of a table that nobody looks at on a terminal


class Screen:
    """The two streams of a command.

    Args:
        as_json: Whether standard output is for one JSON line only.
    """

    def __init__(self, *, as_json: bool = False) -> None:
        from se_agent.report.patient import PatientConsole

        stream = sys.stderr if as_json else sys.stdout
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a program's text may not fit the terminal
        fixed = not stream.isatty() and "COLUMNS" not in os.environ
        self.as_json = as_json
        self.console: Console = PatientConsole(
            file=stream, width=_WIDTH if fixed else None, emoji=False
        )

    @property
    def moving(self) -> bool:
        """Whether a picture may redraw itself here."""
        quiet = any(os.environ.get(name) for name in ("NO_COLOR", "CI"))
        return self.console.is_terminal and not self.console.is_dumb_terminal and not quiet

    @property
    def plain(self) -> bool:
        """Whether only ASCII can be shown."""
        return not self.console.encoding.startswith("utf")

    def view(self, resumed: Path | None = None) -> LiveView | PlainView:
        """Return the listener that suits this screen, for a new run or for a resumed one."""
        from se_agent.report.live import LiveView, PlainView

        if self.moving:
            return LiveView(self.console)
        if resumed is not None:
            return PlainView(self.console, str(resumed))
        return PlainView(self.console)

    def show(self, parts: Iterable[RenderableType]) -> None:
        """Print renderables one below the other; nothing is broken in a pipe."""
        from rich.table import Table
        from rich.text import Text

        for part in parts:
            piped = not self.console.is_terminal
            if piped and isinstance(part, Table) and "COLUMNS" not in os.environ:
                self._whole(part)
            else:
                whole = isinstance(part, Text) and piped
                self.console.print(part, markup=False, highlight=False, soft_wrap=whole)

    def _whole(self, table: Table) -> None:
        """Print a table as wide as it is, for programs and files, without spaces at the end."""
        from rich.console import Console

        wide = Console(file=io.StringIO(), width=_WHOLE, color_system=None)
        with wide.capture() as captured:
            wide.print(table, markup=False, highlight=False)
        for line in captured.get().splitlines():
            self.say(line.rstrip())

    def say(self, text: str) -> None:
        """Print a line for people."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def say_now(self, text: str) -> None:
        """Print a line from a signal handler, whatever else is being printed."""
        with contextlib.suppress(OSError, ValueError):
            os.write(self.console.file.fileno(), f"\n{text}\n".encode())

    def warn(self, texts: Iterable[str]) -> None:
        """Print what has to be known before anything is run."""
        for text in texts:
            self.console.print(text, style="bold yellow", highlight=False, soft_wrap=True)

    def answer(self, value: Mapping[str, object] | list[dict[str, object]]) -> None:
        """Print the JSON line, if it was asked for."""
        if self.as_json:
            sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
            sys.stdout.flush()
