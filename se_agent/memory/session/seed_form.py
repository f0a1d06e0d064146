"""Session memory as the seeds write it: their fields always, and ours where they say something.

Not here: the memory as a journal has it, which is pydantic's own form.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from se_agent.values.session import ArchetypeRecord, SessionMemory, SkeletonComponents

_OURS = {"verified": False, "known": True, "dissents": 0, "outcome": ""}
"""Fields that the seeds do not have, left out where they say this."""

_ORIGIN = ("source", "confidence", "iteration")  # at the end, as the seeds have them
_UNSET = object()


def seed_form(state: SessionMemory) -> dict[str, Any]:  # JSON
    """Return the memory as JSON in the form of HS-34 to HS-37."""
    return {
        "api_constraints": [_entry(one) for one in state.api_constraints],
        "archetype": _entry(state.archetype) if state.archetype else None,
        "known_fixes": [_entry(one) for one in state.known_fixes],
        "decisions": [_entry(one) for one in state.decisions],
        "coverage_strategies": [_entry(one) for one in state.coverage_strategies],
        **(
            {"failure_analyses": [_entry(one) for one in state.failure_analyses]}
            if state.failure_analyses
            else {}
        ),
        "skeleton_components": _components(state.skeleton_components),
    }


def _components(parts: SkeletonComponents) -> dict[str, list[dict[str, Any]]]:
    return {name: [_entry(one) for one in entries] for name, entries in parts}


def _entry(entry: BaseModel) -> dict[str, Any]:
    fields = entry.model_dump(mode="json")
    if isinstance(entry, ArchetypeRecord) and entry.confidence == "medium":
        del fields["confidence"]
    said = {n: v for n, v in fields.items() if n not in _ORIGIN and _OURS.get(n, _UNSET) != v}
    return {**said, **{name: fields[name] for name in _ORIGIN if name in fields}}
