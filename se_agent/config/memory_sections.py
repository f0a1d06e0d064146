"""The tables of a run file for what memory keeps beside the runs.

Not here: LocalMemory, and the table that holds these (`sections`).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from se_agent.config.section import Section

Days = Annotated[float, Field(gt=0, le=36_500)]


class WorkspaceSection(Section):
    """Where everything lies that is kept beside the runs."""

    path: str = ""
    """Folder of what is kept beside the runs; empty: .se_agent in results; "none": nothing."""


class ArtifactsSection(Section):
    """Large outputs, which are kept whole beside the runs."""

    enabled: bool = True
    """Large outputs are kept whole; false: what was cut from them is lost."""
    retention_days: Days = 3.0
    """Days that an output is kept which nobody has pinned."""
    sweep_days: Days = 7.0
    """Days from one search for contents that nobody names to the next."""
