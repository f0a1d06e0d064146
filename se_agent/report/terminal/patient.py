"""A console that outlives its reader, and that no text drives: the last stop of all output.

`se-agent run ... | head` must not end a run, and nothing that a program, a file or a model
wrote may move the cursor, change colours or turn the direction of writing.
Not here: how text is broken into lines (`wrapping`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from se_agent.wire.spelling import visible


class PatientConsole(Console):
    """Falls silent when nobody reads any more; spells out what nobody sees."""

    def on_broken_pipe(self) -> None:
        """Print nothing from now on; rich's own console ends the program."""
        self.quiet = True

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield what is printed; only rich itself, which draws the picture, controls."""
        for segment in super().render(renderable, options):
            shown = segment.text if segment.control else visible(segment.text)
            yield segment if shown == segment.text else Segment(shown, segment.style)


def room(console: Console) -> int:
    """Return the columns of a line; 0 in a pipe or a file, where no line is broken.

    A reader in a pipe that does know its columns says so in `COLUMNS`.
    """
    told = console.is_terminal or "COLUMNS" in os.environ
    return console.width if told else 0
