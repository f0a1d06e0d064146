"""A report of a run or of many as one text, whatever the place holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from se_agent.analysis.records import base_arm_of, run_folders_of
from se_agent.errors import JournalError
from se_agent.report.html.grid_data import grid_data
from se_agent.report.html.page import page
from se_agent.report.html.run_data import RunPage
from se_agent.report.html.text_pool import TextPool
from se_agent.store.lock import is_locked

FORMAT = 1
"""Version of the data in a page."""


class ReportData(NamedTuple):
    """What a page is made of.

    Attributes:
        data: What is shown at once.
        pool: The texts that it names by number.
        title: Title of the window.
        left_out: What could not be read, a line each: events of the run, or runs.
    """

    data: Mapping[str, object]
    pool: TextPool
    title: str
    left_out: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The file of the report."""
        return page(self.data, self.pool, title=f"{self.title} - se_agent report")


def report_data(
    place: Path,
    pool: TextPool | None = None,
    *,
    notes: Sequence[str] = (),
    home: Path | None = None,
) -> ReportData:
    """Read a run, or all runs of a folder.

    Args:
        place: Folder of a run, or a folder of runs or of arms.
        pool: An empty one that says how texts are packed; None: as by default.
        notes: What else is known of the runs of a folder, a sentence each.
        home: Folder that the page will lie in; None: the place.

    Raises:
        ConfigError: There is no run in it.
        JournalError: The run cannot be read, or none of them.
    """
    folders = run_folders_of(place)
    if len(folders) == 1 and folders[0][0] in (place, place.parent):
        return page_data(RunPage(folders[0][0], pool), folders[0][0])
    name = place.name or str(place.resolve())
    found, left_out = grid_data(folders, name, home or place, base_arm_of(place))
    if not found["runs"]:
        first = folders[0][0]
        raise JournalError(
            f"{place}: none of the runs in it can be read",
            hint=f"`se-agent show {first}` says what is wrong with the first one",
        )
    data = {"format": FORMAT, "kind": "grid", "grid": {**found, "notes": tuple(notes)}}
    return ReportData(data, TextPool(), f"{place.name}: {len(folders)} runs", left_out)


def report_text(place: Path, pool: TextPool | None = None) -> str:
    """Return the file of a report; see `report_data`."""
    return report_data(place, pool).text


def page_data(run: RunPage, folder: Path) -> ReportData:
    """Return what the page of a run is made of now.

    Raises:
        JournalError: The run cannot be read.
    """
    found, pool = run.data(running=is_locked(folder / "run.db"))
    data = {"format": FORMAT, "kind": "run", "run": found}
    return ReportData(data, pool, folder.name, run.unread)
