"""Runs as data: compared with each other, and as tables. It reads journals and never writes.

A name is imported when it is asked for (PEP 562): whoever opens one run need not wait for what
compares many.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # `typing` itself would be imported for this one name
if TYPE_CHECKING:
    from se_agent.analysis.arms import Arm
    from se_agent.analysis.comparison import ArmComparison, Regression, compare_runs
    from se_agent.analysis.recorded_run import RecordedRun, RecordedSolution
    from se_agent.analysis.recorded_runs import RecordedRuns
    from se_agent.analysis.records import ComparedRun, ReadRuns, read_run, read_runs
else:

    def __getattr__(name: str) -> object:
        """Return a name of the room, out of the module that has it."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


_PLACES = {
    "Arm": "arms",
    "ArmComparison": "comparison",
    "ReadRuns": "records",
    "RecordedRun": "recorded_run",
    "RecordedRuns": "recorded_runs",
    "RecordedSolution": "recorded_run",
    "Regression": "comparison",
    "ComparedRun": "records",
    "compare_runs": "comparison",
    "read_run": "records",
    "read_runs": "records",
}
"""Where each name is defined."""

__all__ = [
    "Arm",
    "ArmComparison",
    "ComparedRun",
    "ReadRuns",
    "RecordedRun",
    "RecordedRuns",
    "RecordedSolution",
    "Regression",
    "compare_runs",
    "read_run",
    "read_runs",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
