"""Session memory as Markdown, in the seeds' form (LF-67 to LF-70, HS-46 to HS-49, X-47).

Pure. Each text comes from a model or a program: it stands on one line, and forges no heading.
Not here: which role sees what (`injector`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, TypeVar

from se_agent.chat.escaping import inline
from se_agent.memory.context.tokens import ESTIMATE, TokenCounter
from se_agent.memory.session.entries import cutting_order, without
from se_agent.memory.session.precedence import Entry, steps_in_order
from se_agent.values.session import (
    ArchetypeRecord,
    Constraint,
    CoverageStrategy,
    Decision,
    FailureAnalysis,
    KnownFix,
    OrderedStep,
    SessionMemory,
    SkeletonComponents,
)

_Any = TypeVar("_Any", bound=Entry)

ALL = (
    "constraints",
    "archetype",
    "fixes",
    "decisions",
    "strategies",
    "failures",
    "skeleton",
)
"""Categories, as the run file spells them, in the order in which a prompt shows them."""


class Headings(NamedTuple):
    """What the sections of a kind of problem are called."""

    title: str
    constraints: str
    archetype: str
    fixes: str
    decisions: str
    strategies: str
    failures: str


SEEDS = Headings(
    title="## Session Memory (Consensus Constraints)",
    constraints="### API Usage Constraints",
    archetype="### Identified Architecture Pattern",
    fixes="### Known Error Fixes",
    decisions="### Decisions",
    strategies="### Coverage Optimization Strategies",
    failures="### Failure Analysis",
)
"""The seeds' own, for drivers of a fuzzer."""

CODE = Headings(
    title="## What this run agrees on",
    constraints="### What a right program has to keep to",
    archetype="### Kind of program",
    fixes="### What mended an error",
    decisions="### Decisions",
    strategies="### Places to work on",
    failures="### How programs failed",
)
"""Those of programs that are to become better."""

_FUZZING = "fuzz_api"  # the pack of fuzz drivers


def headings_of(pack: str) -> Headings:
    """Return the headings for the problems that a pack is about.

    Args:
        pack: Its name, or name and digest, as a survey has them; empty: none is in use.
    """
    return SEEDS if pack.partition(" ")[0] == _FUZZING else CODE


def format_session_memory_for_prompt(
    state: SessionMemory | None,
    *,
    categories: Collection[str] = ALL,
    room: int | None = None,
    counter: TokenCounter = ESTIMATE,
    headings: Headings = SEEDS,
) -> str:
    """Return the memory as text (LF-60); empty where nothing is shown.

    Args:
        state: A memory in order; None: the empty one.
        categories: Those that are shown.
        room: Tokens at most, line by line; None: as many as it takes. What is cut first says
            `cutting_order`.
        counter: What counts the tokens.
        headings: What its sections are called.
    """
    state = shown_part(state or SessionMemory(), categories)
    text = _rendered(state, headings)
    if room is not None and _tokens(text, counter) > room:
        text = _fitting(state, room, counter, headings)
    return text.removesuffix("\n")


def shown_part(state: SessionMemory, categories: Collection[str]) -> SessionMemory:
    """Return the memory with the entries of these categories alone."""
    hidden = {
        FIELDS[name]: type(state).model_fields[FIELDS[name]].default
        for name in ALL
        if name not in categories
    }
    return state.model_copy(update=hidden) if hidden else state


FIELDS = {
    "constraints": "api_constraints",
    "archetype": "archetype",
    "fixes": "known_fixes",
    "decisions": "decisions",
    "strategies": "coverage_strategies",
    "failures": "failure_analyses",
    "skeleton": "skeleton_components",
}
"""Where the entries of each category are."""


def _fitting(state: SessionMemory, room: int, counter: TokenCounter, headings: Headings) -> str:
    """Return the text with as many entries as there is room for, found by halving."""
    order = cutting_order(state)
    low, high = 1, len(order)
    while low < high:
        middle = (low + high) // 2
        if _tokens(_rendered(without(state, order[:middle]), headings), counter) <= room:
            high = middle
        else:
            low = middle + 1
    text = _rendered(without(state, order[:low]), headings)
    return text if _tokens(text, counter) <= room else ""


def _tokens(text: str, counter: TokenCounter) -> int:
    return sum(counter.count(line) for line in text.splitlines(keepends=True))


def _rendered(state: SessionMemory, named: Headings) -> str:
    sections = [
        _section(named.constraints, state.api_constraints, _constraint),
        _archetype(named.archetype, state.archetype),
        _section(named.fixes, state.known_fixes, _fix),
        _section(named.decisions, state.decisions, _decision),
        _section(named.strategies, state.coverage_strategies, _strategy),
        _section(named.failures, state.failure_analyses, _failure),
        *_components(state.skeleton_components),
    ]
    found = [section for section in sections if section]
    return "\n".join([f"{named.title}\n", *found]) if found else ""


def _section(heading: str, entries: Sequence[_Any], line: Callable[[_Any], str]) -> str:
    return f"{heading}\n" + "".join(map(line, entries)) if entries else ""


def _origin(entry: Constraint | KnownFix | Decision | FailureAnalysis) -> str:
    said = f"source: {inline(entry.source)}, iteration: {entry.iteration}"
    return f"*{said}, verified*" if entry.verified else f"*{said}*"


def _constraint(entry: Constraint) -> str:
    bound = "**binding** " if entry.binding else ""
    level = entry.confidence.upper()
    return f"- [{level}] {bound}{inline(entry.constraint)}\n  {_origin(entry)}\n"


def _archetype(heading: str, found: ArchetypeRecord | None) -> str:
    if found is None:
        return ""
    phases = " → ".join(map(inline, found.lifecycle_phases))
    lifecycle = f"- **Lifecycle**: {phases}\n" if phases else ""
    origin = f"- *source: {inline(found.source)}, iteration: {found.iteration}*\n"
    kind = f"- **Type**: {inline(found.type)}\n"
    return f"{heading}\n{kind}{lifecycle}{origin}"


def _fix(entry: KnownFix) -> str:
    return (
        f"- **Error**: {inline(entry.error_pattern)}\n"
        f"  **Solution**: {inline(entry.solution)}\n  {_origin(entry)}\n"
    )


def _decision(entry: Decision) -> str:
    reason = f"  **Reason**: {inline(entry.reason)}\n" if entry.reason else ""
    return f"- **Decision**: {inline(entry.decision)}\n{reason}  {_origin(entry)}\n"


def _strategy(entry: CoverageStrategy) -> str:
    outcome = f", outcome: {inline(entry.outcome)}" if entry.outcome else ""
    said = f"target: {inline(entry.target)}, source: {inline(entry.source)}{outcome}"
    return f"- {inline(entry.strategy)}\n  *{said}*\n"


def _failure(entry: FailureAnalysis) -> str:
    solution = f"  **Solution**: {inline(entry.solution)}\n" if entry.solution else ""
    return (
        f"- **Failure**: {inline(entry.template)}\n"
        f"  **Details**: {inline(entry.details)}\n{solution}  {_origin(entry)}\n"
    )


def _components(parts: SkeletonComponents) -> Iterator[str]:
    yield _section(
        "## Confirmed Headers",
        parts.headers,
        lambda h: (
            f"- {inline(h.path)} (confidence: {h.confidence}, source: {inline(h.source)})\n"
        ),
    )
    yield _section(
        "## Input Validation Rules",
        parts.input_validation,
        lambda v: f"- `{inline(v.rule)}` - {inline(v.reason)}\n",
    )
    yield _section("## Setup Sequence", steps_in_order(parts.setup_sequence), _step)
    yield _section("## Cleanup Sequence", steps_in_order(parts.cleanup_sequence), _step)
    yield _section(
        "## Parameter Construction",
        parts.parameter_construction,
        lambda p: f"- **{inline(p.param)}**: {inline(p.method)}\n",
    )


def _step(entry: OrderedStep) -> str:
    return f"{entry.order}. {inline(entry.step)}\n"
