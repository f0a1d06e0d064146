"""The picture in the README: a run of the demo, as its own report shows it.

python -m experiments.figures.demo_svg results/NAME docs/demo.svg
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from se_agent.cli.json_row import read
from se_agent.report.brief import summary
from se_agent.report.terminal.live import LiveView

_WIDTH = 104
_DIFF_LINES = 24
_FONTS = re.compile(r"@font-face \{.*?\}\n", re.DOTALL)


def picture(folder: Path) -> str:
    """Return the SVG of a finished run: what was typed, the last live picture, the summary."""
    console = Console(
        record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True, legacy_windows=False
    )
    _, story = read(folder)
    console.print(Text.assemble(("$ ", "dim"), ("make demo", "bold")))
    console.print(live(console, folder).render())
    console.print()
    for part in summary(story, folder, diff_lines=_DIFF_LINES):
        console.print(part, markup=False, highlight=False)
    drawn = console.export_svg(title="se-agent", theme=MONOKAI, unique_id="demo")
    return _FONTS.sub("", drawn)  # a picture in a repository fetches nothing


def live(console: Console, folder: Path) -> LiveView:
    """Return the live view as it stood after the last step."""
    from se_agent.engine.journal.journal import Journal

    view = LiveView(console)
    with Journal(folder / "run.db", write=False) as journal:
        for event in journal.events():
            if event.kind not in ("confirmed", "ended"):
                view.on_event(event)
    return view


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(picture(Path(sys.argv[1])), encoding="utf-8")
