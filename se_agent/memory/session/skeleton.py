"""Parts of a program that roles agree on, each with who said so and when (HS-13, HS-39 to 42).

Each function returns another value, and its limits hold. Not here: how a program is made of
parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from se_agent.memory.session.entries import (
    LIMITS,
    SessionLimits,
    entries_in_order,
    within_bytes,
)
from se_agent.memory.session.precedence import SOURCES, Entry
from se_agent.values.session import (
    NOTHING_AGREED,
    Confidence,
    Header,
    OrderedStep,
    ParamConstruction,
    SessionMemory,
    ValidationRule,
)


def add_skeleton_header(
    state: SessionMemory | None,
    header_path: str,
    source: str,
    confidence: Confidence = "medium",
    iteration: int | None = None,
) -> SessionMemory:
    """Return the memory with a header (HS-39); the same path is one, however it is quoted.

    Raises:
        pydantic.ValidationError: There is no such confidence.
    """
    new = Header(
        path=header_path, source=source, confidence=confidence, iteration=iteration or 0
    )
    return _added(state, "headers", new)


def add_skeleton_validation_rule(
    state: SessionMemory | None,
    rule: str,
    reason: str,
    source: str,
    iteration: int | None = None,
) -> SessionMemory:
    """Return the memory with what input has to pass (HS-40)."""
    new = ValidationRule(rule=rule, reason=reason, source=source, iteration=iteration or 0)
    return _added(state, "input_validation", new)


def add_skeleton_setup_step(
    state: SessionMemory | None,
    step: str,
    order: int,
    source: str,
    iteration: int | None = None,
) -> SessionMemory:
    """Return the memory with a step of set-up (HS-41)."""
    new = OrderedStep(order=order, step=step, source=source, iteration=iteration or 0)
    return _added(state, "setup_sequence", new)


def add_skeleton_cleanup_step(
    state: SessionMemory | None,
    step: str,
    order: int,
    source: str,
    iteration: int | None = None,
) -> SessionMemory:
    """Return the memory with a step of clean-up (HS-42)."""
    new = OrderedStep(order=order, step=step, source=source, iteration=iteration or 0)
    return _added(state, "cleanup_sequence", new)


def add_skeleton_param_construction(
    state: SessionMemory | None,
    param: str,
    method: str,
    source: str,
    iteration: int | None = None,
) -> SessionMemory:
    """Return the memory with how an argument is made (HS-42)."""
    new = ParamConstruction(param=param, method=method, source=source, iteration=iteration or 0)
    return _added(state, "parameter_construction", new)


def _added(state: SessionMemory | None, name: str, new: Entry) -> SessionMemory:
    return within_bytes(with_components(state, name, [new]))


def with_components(
    state: SessionMemory | None,
    name: str,
    new: Iterable[Entry],
    limits: SessionLimits = LIMITS,
    sources: Mapping[str, int] = SOURCES,
) -> SessionMemory:
    """Return the memory with more components of a class, of any number of bytes."""
    state = state or NOTHING_AGREED
    parts = state.skeleton_components
    held = getattr(parts, name)
    found = entries_in_order(new, limits.entries, ranked=True, sources=sources, held=held)
    if found == held:
        return state
    changed = parts.model_copy(update={name: found})
    return state.model_copy(update={"skeleton_components": changed})
