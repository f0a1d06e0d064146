"""A console that outlives its reader: `se-agent run ... | head` must not end a run.

Not here: how text is broken into lines (`wrapping`).
"""

from __future__ import annotations

import os

from rich.console import Console


class PatientConsole(Console):
    """Falls silent when nobody reads any more; rich's own console ends the program."""

    def on_broken_pipe(self) -> None:
        """Print nothing from now on."""
        self.quiet = True


def room(console: Console) -> int:
    """Return the columns of a line; 0 in a pipe or a file, where no line is broken.

    A reader in a pipe that does know its columns says so in `COLUMNS`.
    """
    told = console.is_terminal or "COLUMNS" in os.environ
    return console.width if told else 0
