"""What `check` says of earlier runs: whether a run reads what they found, and adds to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.errors import MemoryFileError
from se_agent.wording import counted

if TYPE_CHECKING:
    from se_agent.config.run_file import Run

_FREEZE = 'the next run learns from this one; memory.prior = "read" freezes it'
_ROWS = "no row learns from another, so their order changes nothing"


def prior(run: Run, rows: str) -> Iterator[tuple[str, str]]:
    """Yield what `memory.prior` means for a run, each line with its label.

    Args:
        run: The run file; of a set, with the prior of its rows.
        rows: Name of the set that the run is a row of; empty: it is none.
    """
    reads, writes = run.memory.reads_prior, run.memory.writes_prior
    if not reads and not writes:
        yield "prior", "off: what earlier runs found out is neither read nor added to"
        return
    from se_agent.memory import MEMORY_FILE

    used = " and ".join(["read"] * reads + ["added to"] * writes)
    why = _FREEZE if reads and writes else _ROWS if rows and reads else ""
    yield "prior", f"{used}: {_source(Path(run.results) / rows / MEMORY_FILE)}"
    if why:
        yield "", why


def _source(path: Path) -> str:
    """Return where the prior is kept, and how many runs it knows."""
    from se_agent.memory import read_memory

    try:
        return f"{path}, {counted(read_memory(path).runs, 'earlier run')}"
    except MemoryFileError as err:
        return f"nothing: {err}"
