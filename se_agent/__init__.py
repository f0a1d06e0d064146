"""se_agent: evolve faster programs, prove every gain, remember what worked.

Its names are imported when they are asked for: what candidates are forked from imports a part
of this package anew for each block, and should neither wait for the rest nor hold it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` itself would be imported for this one name
if TYPE_CHECKING:
    from se_agent.analysis.face import compare, run
    from se_agent.analysis.face import open as open
    from se_agent.analysis.outside import StudyRequest, StudyTrial
    from se_agent.analysis.study import Study
    from se_agent.values.evaluation import Comparison, Evaluation, Status, Verdict
    from se_agent.values.solution import Solution
    from se_agent.values.step import Proposal
else:

    def __getattr__(name: str) -> object:
        """Return a public name of the package (PEP 562)."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


_PLACES = {
    "Comparison": "values.evaluation",
    "Evaluation": "values.evaluation",
    "Proposal": "values.step",
    "Solution": "values.solution",
    "Status": "values.evaluation",
    "Study": "analysis.study",
    "StudyRequest": "analysis.outside",
    "StudyTrial": "analysis.outside",
    "Verdict": "values.evaluation",
    "compare": "analysis.face",
    "open": "analysis.face",
    "run": "analysis.face",
}
"""Where each name is defined."""

# Not `open`: with `from se_agent import *` it would hide the one that opens files.
__all__ = [
    "Comparison",
    "Evaluation",
    "Proposal",
    "Solution",
    "Status",
    "Study",
    "StudyRequest",
    "StudyTrial",
    "Verdict",
    "compare",
    "run",
]
__version__ = "0.1.0"


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
