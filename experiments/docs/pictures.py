"""Pictures of reports for the documents: `python -m experiments.docs.pictures RUN|GRID`."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments.docs.browser import missing, open_view, opened_browser, set_window
from se_agent.report.html.report import report_text

DOCS = Path(__file__).parents[2] / "docs"
_OF_A_RUN = {
    "report-summary.png": ("summary", "light", 1180, 900),
    "report-memory.png": ("memory", "dark", 1180, 900),
}
_OF_A_GRID = {"report-grid.png": ("summary", "light", 1180, 860)}
"""File, part of the report, theme, width and height."""


def main(place: Path, folder: Path = DOCS) -> list[Path]:
    """Write the pictures of a report of a run, or of a grid, and return their files."""
    made, pictures = [], _OF_A_RUN if (place / "run.db").exists() else _OF_A_GRID
    with TemporaryDirectory() as home, opened_browser() as driver:
        file = Path(home) / "report.html"
        file.write_text(report_text(place), encoding="utf-8")
        for name, (view, theme, width, height) in pictures.items():
            set_window(driver, width=width, height=height, theme=theme)
            open_view(driver, file.as_uri(), view)
            driver.save_screenshot(str(folder / name))
            made.append(folder / name)
    return made


if __name__ == "__main__":
    if lacking := missing():
        sys.exit(f"error: {lacking}")
    for path in main(Path(sys.argv[1])):
        print(f"{path} ({path.stat().st_size / 1000:.0f} kB)")
