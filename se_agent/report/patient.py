"""A console that outlives its reader: `se-agent run ... | head` must not end a run."""

from __future__ import annotations

from rich.console import Console


class PatientConsole(Console):
    """Falls silent when nobody reads any more; rich's own console ends the program."""

    def on_broken_pipe(self) -> None:
        """Print nothing from now on."""
        self.quiet = True
