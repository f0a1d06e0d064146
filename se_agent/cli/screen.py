"""Where a command writes: which stream, how wide, and whether a picture may move on it.

With `--json` the last line of standard output belongs to the program that reads it, so that
everything for people goes to standard error.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.wire.spelling import json_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from se_agent.report.terminal.live import LiveView, PlainView

_WIDTH = 120  # columns where nobody says how many there are
_HANG = 2  # columns that the rest of a broken line is moved to the right


def say_note(text: str) -> None:
    """Print what somebody should know of what they gave, apart from all results."""
    sys.stderr.write(f"{text}\n")


class Screen:
    """The two streams of a command.

    Args:
        as_json: Whether standard output is for one JSON line only.
    """

    def __init__(self, *, as_json: bool = False) -> None:
        from se_agent.report.terminal.patient import PatientConsole

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
    def room(self) -> int:
        """Columns of a line; 0 where no line is broken."""
        from se_agent.report.terminal.patient import room

        return room(self.console)

    @property
    def plain(self) -> bool:
        """Whether only ASCII can be shown."""
        return not self.console.encoding.startswith("utf")

    def view(self, resumed: Path | None = None) -> LiveView | PlainView:
        """Return the listener that suits this screen, for a new run or for a resumed one."""
        from se_agent.report.terminal.live import LiveView, PlainView

        if self.moving:
            return LiveView(self.console)
        if resumed is not None:
            return PlainView(self.console, str(resumed))
        return PlainView(self.console)

    def show(self, parts: Iterable[RenderableType]) -> None:
        """Print renderables one below the other; in a pipe no line of them is broken."""
        from rich.text import Text

        from se_agent.report.terminal.columns import Columns
        from se_agent.report.terminal.wrapping import styled

        for part in parts:
            if isinstance(part, Columns):
                lines = part.lines(self.room)
            elif isinstance(part, Text):
                whole = part.no_wrap or not self.room
                lines = [part] if whole else styled(part, self.room, hang=_HANG)
            else:
                self.console.print(part, markup=False, highlight=False)
                continue
            for line in lines:
                self.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def say(self, text: str) -> None:
        """Print lines for people; one that is too long is broken between words."""
        from rich.text import Text

        self.show([Text(text)])

    def row(self, label: str, text: str, width: int) -> None:
        """Print a text to the right of its label, which has so many columns."""
        from se_agent.report.terminal.wrapping import wrapped

        room = max(self.room - width - 1, 1) if self.room else 0
        for place, line in enumerate(wrapped(text, room) if room else [text]):
            self.quote(f"{'' if place else label:<{width}} {line}".rstrip())

    def quote(self, text: str) -> None:
        """Print text as it is, such as code, or a prompt: no line of it is broken here."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def offer(self, why: str, *commands: str) -> None:
        """Print commands that can be copied, each whole and on a line of its own."""
        self.say(f"{why}:")
        for command in commands:
            self.quote(f"  {command}")

    def warn(self, texts: Iterable[str]) -> None:
        """Print what has to be known before anything is run."""
        from rich.text import Text

        self.show(Text(text, style="bold yellow") for text in texts)

    def answer(self, value: Mapping[str, object] | list[dict[str, object]]) -> None:
        """Print the JSON line, if it was asked for."""
        if self.as_json:
            utf = (sys.stdout.encoding or "").lower().startswith("utf")
            sys.stdout.write(json_line(value, only_ascii=not utf) + "\n")
            sys.stdout.flush()
