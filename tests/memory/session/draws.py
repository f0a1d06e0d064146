"""Random session memories, updates, and sequences of what is done to them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from se_agent.values.session import SessionMemory, SessionUpdates

_SOURCES = st.sampled_from(
    ["user", "evaluator", "header_extraction", "function_analyzer", "enhancer", "plan", "who"]
)
_TEXTS = st.one_of(
    st.sampled_from(["a", "A ", "must a", "must not a", "against: a", "b", '#include "b"', ""]),
    st.text(max_size=12),
    st.integers(0, 29).map(lambda n: f"text {n} " + "ü" * (n * 20)),
)
_CONFIDENCES = st.sampled_from(["low", "medium", "high"])


def _entries(most: int = 25, **fields: Any) -> st.SearchStrategy[list[dict[str, Any]]]:
    each = {"source": _SOURCES, "iteration": st.integers(0, 9), "verified": st.booleans()}
    return st.lists(st.fixed_dictionaries({**each, **fields}), max_size=most)


def _slots(most: int) -> st.SearchStrategy[dict[str, Any]]:
    steps = _entries(most, order=st.integers(0, 4), step=_TEXTS)
    parts = {
        "headers": _entries(most, path=_TEXTS, confidence=_CONFIDENCES),
        "input_validation": _entries(most, rule=_TEXTS, reason=_TEXTS),
        "setup_sequence": steps,
        "cleanup_sequence": steps,
        "parameter_construction": _entries(most, param=_TEXTS, method=_TEXTS),
    }
    shape = _entries(1, type=_TEXTS, confidence=_CONFIDENCES).map(lambda x: x[0] if x else None)
    return st.fixed_dictionaries(
        {},
        optional={
            "api_constraints": _entries(most, constraint=_TEXTS, confidence=_CONFIDENCES),
            "archetype": shape,
            "known_fixes": _entries(most, error_pattern=_TEXTS, solution=_TEXTS),
            "decisions": _entries(most, decision=_TEXTS, reason=_TEXTS),
            "coverage_strategies": _entries(
                most, strategy=_TEXTS, target=_TEXTS, outcome=st.sampled_from(["", "slower"])
            ),
            "failure_analyses": _entries(most, template=_TEXTS, details=_TEXTS),
            "skeleton_components": st.fixed_dictionaries({}, optional=parts),
        },
    )


def memories(most: int = 12) -> st.SearchStrategy[SessionMemory]:
    """Draw memories that nobody put in order."""
    return _slots(most).map(SessionMemory.model_validate)


def updates(most: int = 4) -> st.SearchStrategy[SessionUpdates]:
    """Draw updates of a step."""
    return _slots(most).map(SessionUpdates.model_validate)
