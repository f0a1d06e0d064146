"""What rules would try on functions of the user's: the operators are asked, nothing is run.

Not here: which functions are worth it (`user_function.advisor.ranking`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from operators.editing.edits import Editing
    from se_agent.config.run_file import Run
    from se_agent.user_function.advisor.ranking import Hotspot

_LARGEST = 400_000
"""Characters of a file that rules are asked about; a larger one would take them long."""


def rules_to_try(
    hotspots: Sequence[Hotspot], text_of: Callable[[str], str | None], chosen: Run
) -> list[tuple[str, ...]]:
    """Return the names of the rules that have a change to propose, for each function.

    It may change what comes along with the function, too.

    Args:
        hotspots: The functions.
        text_of: Returns the text of a file; a function without a text has no rule.
        chosen: Names the operators.
    """
    from operators.editing.edits import Editing
    from se_agent.engine.run.resolve import made_operators
    from se_agent.program.language import Language

    rules = [
        each
        for each in made_operators(chosen).values()
        if isinstance(each, Editing) and each.arity == 1 and each.language is Language.PYTHON
    ]
    found: list[tuple[str, ...]] = []
    for one in hotspots:
        text = text_of(one.file) or ""
        fits = bool(text) and len(text) <= _LARGEST
        editable = _editable(one) if fits else ""
        names = [rule.name for rule in rules if fits and _changes(rule, text, one, editable)]
        found.append(tuple(names))
    return found


def _editable(spot: Hotspot) -> str:
    """Return what may change where a function is the target."""
    from se_agent.errors import ProblemError
    from se_agent.user_function.workloads.targets import editable_of, find_targets

    try:
        return editable_of(find_targets([f"{spot.file}:{spot.name}"]))
    except ProblemError:  # it is made as the module runs, or the file is none that can be read
        return spot.name


def _changes(rule: Editing, text: str, spot: Hotspot, editable: str) -> bool:
    """Say whether a rule has a change that begins in a function, or reaches it."""
    from se_agent.program.editable import holder
    from se_agent.program.source_check import changed_functions

    return any(
        holder(one.edit.function, spot.name)
        or any(holder(name, spot.name) for name in changed_functions(text, one.text))
        for one in rule.candidates(text, editable=editable)
    )
