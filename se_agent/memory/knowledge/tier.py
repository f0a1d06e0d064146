"""Static knowledge as a tier of the memory stack: a bundle, pitfalls, or all archetypes.

Pure and immutable. It knows what `Surveyed` brings and nothing else: a pack that is changed
after the start of a run changes nothing in it. Not here: what is in a bundle (`excerpt`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from se_agent.chat.messages import Role
from se_agent.config.knowledge_section import KnowledgeSection
from se_agent.events import Evaluated, Event, Retested
from se_agent.memory_events import Surveyed
from se_agent.values.closed_step import ClosedStep
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.knowledge import KnowledgeExcerpt, pitfalls_led_to
from se_agent.values.memory_context import Advice
from se_agent.values.step import Slot

KNOWLEDGE = "knowledge"
"""Name of the tier."""

_WRITING = frozenset(
    {Role.PLAN, Role.REPLAN, Role.REWRITE, Role.REFINE, Role.MUTATE, Role.CROSS_OVER}
)
"""Roles that are shown the bundle (LF-36)."""

_FAILURES = 200  # failed programs of which it is kept what they point to
_PITFALLS = 2  # documents of pitfalls in one prompt


@dataclass(frozen=True, kw_only=True)
class KnowledgeTier:
    """What a run knows from a pack.

    Attributes:
        section: What of it is used.
        analysed: Whether a role of the run reads all archetypes.
        surveyed: What `Surveyed` brought; empty before it.
        chosen: The archetype that the survey found; empty: none fits well.
        agreed: The archetype that the run agrees on.
        excerpt: The same for the archetype that the run agrees on by now.
        failures: Pitfalls that failed programs point to, by id of the program, oldest first.
    """

    section: KnowledgeSection
    analysed: bool = False
    surveyed: KnowledgeExcerpt = KnowledgeExcerpt()  # noqa: RUF009 - it is frozen
    chosen: str = ""
    agreed: str = ""
    excerpt: KnowledgeExcerpt = KnowledgeExcerpt()  # noqa: RUF009 - it is frozen
    failures: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """Name of the tier."""
        return KNOWLEDGE

    @property
    def token_limit(self) -> int:
        """Tokens that its section has at most; 0 where it only gives advice."""
        return self.section.token_limit if self.section.shown or self.analysed else 0

    @property
    def empty(self) -> bool:
        """Whether it has nothing to say to anybody in this run."""
        told = self.excerpt
        return not (
            (self.section.shown and (told.bundle or told.pitfalls))
            or (self.section.rules and told.rules)
            or (self.analysed and told.archetypes)
        )

    def apply(self, event: Event, closed: ClosedStep | None = None) -> KnowledgeTier:
        """Return the tier after an event."""
        del closed
        match event:
            case Surveyed():
                kind = event.updates.archetype
                chosen = kind.type if kind else ""
                told = event.excerpt
                return replace(self, surveyed=told, chosen=chosen, agreed=chosen, excerpt=told)
            case Evaluated() | Retested() if self.section.shown:
                return self._failed(event.solution, event.evaluation)
        return self

    def following(self, archetype: str) -> KnowledgeTier:
        """Return the tier with what is known of the archetype that the run agrees on now.

        Args:
            archetype: Its name; empty: the run agrees on none, and the survey's choice holds.
        """
        agreed = archetype or self.chosen
        if agreed == self.agreed:
            return self
        told = self.surveyed if agreed == self.chosen else self.surveyed.of(agreed)
        return replace(self, agreed=agreed, excerpt=told)

    def context(self, slot: Slot, role: str) -> str:
        """Return what a role is shown; empty: it is shown nothing."""
        if role == Role.ANALYSE:
            return self.excerpt.archetypes if self.analysed else ""
        if not self.section.shown:
            return ""
        if role == Role.REPAIR:
            names = self.failures.get(slot.subject, ())[:_PITFALLS]
            return "\n".join(self.excerpt.pitfalls[name] for name in names)
        return self.excerpt.bundle if role in _WRITING else ""

    def advice(self) -> Advice:
        """Return what the pack says of operators: as much as a single try of each."""
        return Advice(prior=self.excerpt.rules if self.section.rules else {})

    def _failed(self, solution: str, evaluation: Evaluation) -> KnowledgeTier:
        """Keep what a failed program points to: pitfalls of the archetype before others."""
        if evaluation.status is Status.AC:
            return self
        told = self.excerpt
        led = pitfalls_led_to(told.leads, evaluation.feedback, evaluation.status)
        if not led:
            return self
        ordered = sorted(led, key=lambda name: name not in told.relevant)
        known = {**self.failures, solution: tuple(ordered)}
        kept = dict(list(known.items())[-_FAILURES:])
        return replace(self, failures=kept)
