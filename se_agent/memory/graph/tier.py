"""The knowledge graph as a tier of the memory stack: what is related to the error at hand.

Pure and immutable: it knows what `Recalled` brings, and which error each program of the run
had. What a memory server of somebody else says is shown as such: nobody checked it. Not here:
how it is looked up (`related`, the engine).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from se_agent.chat.escaping import inline
from se_agent.chat.messages import Role
from se_agent.config.memory_sections import GraphSection
from se_agent.events import Challenged, Evaluated, Event, Retested
from se_agent.memory.graph.ontology import entity_parts
from se_agent.memory.graph.triples import error_entity
from se_agent.memory_events import Recalled
from se_agent.values.closed_step import ClosedStep
from se_agent.values.evaluation import Evaluation, Status, refuted_evaluation
from se_agent.values.memory_context import Advice
from se_agent.values.step import Slot

GRAPH = "graph"
"""Name of the tier."""

TOKEN_LIMIT = 320
"""Tokens of its section: 120 for what is related, 200 for facts of a memory server."""

_KEPT = 256  # failed programs whose error is known, the newest
_WRITING = frozenset({Role.PLAN, Role.REPLAN, Role.REWRITE, Role.REFINE, Role.CROSS_OVER})


@dataclass(frozen=True, kw_only=True)
class GraphTier:
    """What earlier runs and a memory server relate to what a slot is about.

    Attributes:
        section: Its switches.
        related: Lines by the key of an error's template.
        facts: What a memory server says.
        errors: Keys of the errors of programs of this run, by id.
    """

    section: GraphSection = field(default_factory=GraphSection)
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the tier."""
        return GRAPH

    @property
    def token_limit(self) -> int:
        """Tokens that its section has at most; 0 where no prompt shows it."""
        return TOKEN_LIMIT if self.section.shown else 0

    @property
    def empty(self) -> bool:
        """Whether no prompt could show anything of it."""
        return not self.section.shown or not (self.related or self.facts)

    def apply(self, event: Event, closed: ClosedStep | None = None) -> GraphTier:
        """Return the tier after an event."""
        del closed
        match event:
            case Recalled() if event.related or event.facts:
                related = {one.error: one.lines for one in event.related}
                return replace(self, related=related, facts=event.facts)
            case Evaluated() | Retested() if event.evaluation.status is not Status.AC:
                return self._failed(event.solution, event.evaluation)
            case Challenged() if event.hunt.found is not None:
                return self._failed(event.solution, refuted_evaluation(event.hunt.found))
        return self

    def context(self, slot: Slot, role: str) -> str:
        """Return what is related to the error that a slot mends, and facts for who writes."""
        if self.empty:
            return ""
        related = self.related.get(self.errors.get(slot.subject, ""), ())
        facts = self.facts if role in _WRITING else ()
        sections = (
            ("## Related to this error, in earlier runs", related),
            ("## What a memory server says, which nobody checked", facts),
        )
        return "\n".join(
            f"{head}\n" + "".join(f"- {inline(line)}\n" for line in lines)
            for head, lines in sections
            if lines
        )

    def advice(self) -> Advice:
        """Return no advice: relations are words."""
        return Advice()

    def lines_of(self, failed: Evaluation) -> tuple[str, ...]:
        """Return what is related to how a program failed."""
        return self.related.get(_key(failed), ()) if self.related else ()

    def _failed(self, solution: str, found: Evaluation) -> GraphTier:
        if not self.related:
            return self
        errors = {**self.errors, solution: _key(found)}
        for name in list(errors)[:-_KEPT]:
            del errors[name]
        return replace(self, errors=errors)


def _key(failed: Evaluation) -> str:
    return entity_parts(error_entity(failed)[0])[1][0]
