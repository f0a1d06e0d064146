"""se_agent: evolve faster programs, prove every gain, remember what worked.

Its names are imported when they are asked for: what candidates are forked from imports a part
of this package anew for each block, and should neither wait for the rest nor hold it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` itself would be imported for this one name
if TYPE_CHECKING:
    from se_agent.values.evaluation import Comparison, Evaluation, Status, Verdict
    from se_agent.values.solution import Solution
    from se_agent.values.step import Proposal
else:

    def __getattr__(name: str) -> object:
        """Return a public name of the package (PEP 562)."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from se_agent.values import evaluation, solution, step

        return next(
            vars(room)[name] for room in (evaluation, solution, step) if name in vars(room)
        )


__all__ = ["Comparison", "Evaluation", "Proposal", "Solution", "Status", "Verdict"]
__version__ = "0.1.0"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
