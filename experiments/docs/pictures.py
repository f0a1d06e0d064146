"""Pictures of reports for the documents: `python -m experiments.docs.pictures` makes them anew.

They show the quickstart grid and its first run. What of that grid is missing in `results` is
run first, which takes four to seven minutes. A browser test makes the same pictures of
made-up runs.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from experiments.docs.browser import Theme, missing, open_view, opened_browser, set_window
from se_agent.analysis.records import run_folders_of
from se_agent.report.html.report import report_text

ROOT = Path(__file__).parents[2]
GRID = "quickstart"


class Picture(NamedTuple):
    """What a picture shows: of a run or of a grid, which part, and how large (pixels)."""

    of_grid: bool
    view: str
    theme: Theme
    width: int
    height: int


PICTURES: Mapping[str, Picture] = {
    "report-summary.png": Picture(False, "summary", "light", 1180, 900),
    "report-memory.png": Picture(False, "memory", "dark", 1180, 900),
    "report-grid.png": Picture(True, "summary", "light", 1180, 860),
}
"""The pictures by the names of their files."""


def make_pictures(grid: Path, folder: Path) -> list[Path]:
    """Write all pictures of a grid and of its first run into a folder; return their files.

    Raises:
        ConfigError: There is no run in the grid.
        JournalError: Its first run cannot be read, or none of them.
    """
    places = {True: grid, False: run_folders_of(grid)[0][0]}
    made = []
    with TemporaryDirectory() as home, opened_browser() as driver:
        pages = {of_grid: Path(home) / f"{of_grid}.html" for of_grid in places}
        for of_grid, page in pages.items():
            page.write_text(report_text(places[of_grid]), encoding="utf-8")
        for name, (of_grid, view, theme, width, height) in PICTURES.items():
            set_window(driver, width=width, height=height, theme=theme)
            open_view(driver, pages[of_grid].as_uri(), view)
            driver.save_screenshot(str(folder / name))
            made.append(folder / name)
    return made


def main() -> None:
    """Run what is missing of the grid, and renew the pictures of the documents."""
    if lacking := missing():
        sys.exit(f"error: no picture can be made: {lacking}\nhint:  see CONTRIBUTING.md, Tests")
    file = f"experiments/grids/{GRID}.toml"
    subprocess.run([sys.executable, "-m", "se_agent", "grid", file], cwd=ROOT, check=True)
    for path in make_pictures(ROOT / "results" / GRID, ROOT / "docs"):
        print(f"{path} ({path.stat().st_size / 1000:.0f} kB)")


if __name__ == "__main__":
    main()
