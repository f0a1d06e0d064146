"""The memory of a run as the engine knows it: tiers in their order, behind one door.

Tiers of ours are fields of the stack: static knowledge, LocalMemory (`first`), session memory
(`second`), lessons, graph and messages; `tiers` has the order of a prompt. A package adds one
of its own by an entry point of the group `se_agent.memory_tiers`, and a run file by its name
in `memory.tiers`. Limits hold here, whatever a tier does. An immutable value: a slot keeps the
stack that it was selected with.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from se_agent import registry
from se_agent.config.sections import MemorySection
from se_agent.errors import ConfigError, blame
from se_agent.events import Event
from se_agent.memory.context.shortening import limited_text
from se_agent.memory.context.tokens import TokenCounter
from se_agent.memory.graph.tier import GraphTier
from se_agent.memory.knowledge.tier import KnowledgeTier
from se_agent.memory.local.memory import LocalMemory, MemoryUpdate
from se_agent.memory.local.tier import LocalTier
from se_agent.memory.messages.contexts import suggest_next_actions
from se_agent.memory.messages.tier import MessagesTier
from se_agent.memory.retrieval.tier import Exposed, LessonTier
from se_agent.memory.session.fold import SessionTier
from se_agent.protocols import MemoryTier
from se_agent.values.closed_step import ClosedStep
from se_agent.values.memory_context import (
    Advice,
    Believed,
    ContextSection,
    MemoryContext,
    NextAction,
)
from se_agent.values.session import NOTHING_AGREED, SessionMemory
from se_agent.values.solution import Edit
from se_agent.values.step import Slot

LEAST, MOST = 1 / 8, 8.0
"""Bounds of a direction's factor, all tiers together: advice is never a ban."""

_Made = TypeVar("_Made")

Evidence = tuple[float, float]
"""Wins and losses of an operator."""

_EVIDENCE = 8.0  # wins, or losses, that a prior brings at most


@dataclass(frozen=True, kw_only=True)
class MemoryStack:
    """All tiers of a run.

    Attributes:
        first: LocalMemory, as a tier.
        second: Session memory, as a tier; None: it is switched off.
        further: Tiers of other packages, in the order of the run file.
        knowledge: What was known before the run; prompts show it first, for it never changes
            (caches of prompts hold it). None: the run uses none of it.
        messages: What agents told each other; a prompt shows it last.
        lessons: Lessons of earlier runs, chosen for each prompt. None: none is shown.
        graph: What earlier runs relate to errors.
    """

    first: LocalTier
    second: SessionTier | None = None
    further: tuple[MemoryTier, ...] = ()
    knowledge: KnowledgeTier | None = None
    messages: MessagesTier = field(default_factory=MessagesTier)
    lessons: LessonTier | None = None
    graph: GraphTier = field(default_factory=GraphTier)

    @classmethod
    def of(
        cls, config: MemorySection, *, counter: TokenCounter, analysed: bool = False
    ) -> MemoryStack:
        """Return the stack of a run that has not begun.

        Args:
            config: The limits of both memories, and the names of further tiers.
            counter: What counts tokens; each further tier is made from it.
            analysed: Whether a role of the run reads all archetypes.

        Raises:
            ConfigError: A tier cannot be made, or two have the same name.
            UnknownPluginError: A tier is not registered.
        """
        first = LocalTier(memory=LocalMemory(limits=config.local, counter=counter))
        second = SessionTier(config=config.session, counter=counter)
        made = tuple(registry.make("tier", name, counter) for name in config.tiers)
        section, knowledge = config.knowledge, None
        if section.packs and (section.shown or section.rules or analysed):
            knowledge = KnowledgeTier(section=section, analysed=analysed)
        messages = MessagesTier.of(config.messages)
        lessons = LessonTier(section=config.retrieval, counter=counter)
        graph = GraphTier(section=config.graph)
        ours = (knowledge, first, second, lessons, *made, graph, messages)
        _check_names(list(filter(None, ours)))
        return cls(
            first=first,
            second=second if config.session.enabled else None,
            further=made,
            knowledge=knowledge,
            messages=messages,
            lessons=lessons if config.retrieval.shown else None,
            graph=graph,
        )

    @property
    def tiers(self) -> tuple[MemoryTier, ...]:
        """All tiers, in the order in which a prompt shows them."""
        ours = (self.knowledge, self.first, self.second, self.lessons)
        graph = self.graph if self.graph.section.shown else None  # else the guide reads it only
        return tuple(filter(None, (*ours, *self.further, graph, self.messages)))

    @property
    def local(self) -> LocalMemory:
        """The first tier's memory."""
        return self.first.memory

    @property
    def update(self) -> MemoryUpdate | None:
        """What the last lesson or suggestion did to LocalMemory; None: there was none."""
        return self.first.update

    @property
    def session(self) -> SessionMemory:
        """What all roles agree on; nothing where that is switched off."""
        return self.second.memory if self.second else NOTHING_AGREED

    @property
    def counter(self) -> TokenCounter:
        """What counts the tokens."""
        return self.local.counter

    @property
    def token_limit(self) -> int:
        """Tokens of all sections of a prompt together, at most."""
        return sum(max(0, tier.token_limit) for tier in self.tiers)

    @property
    def empty(self) -> bool:
        """Whether no tier has learned anything yet."""
        return all(tier.empty for tier in self.tiers)

    def apply(self, event: Event, closed: ClosedStep | None = None) -> MemoryStack:
        """Return the stack after an event; `closed` comes with a `Learned`.

        Raises:
            FoldError: A further tier fails, or what it returns is no tier.
        """
        first = self.first.apply(event, closed)
        second = self.second.apply(event, closed) if self.second else None
        knowledge = self.knowledge.apply(event) if self.knowledge else None
        if knowledge and second:
            kind = second.memory.archetype
            knowledge = knowledge.following(kind.type if kind else "")
        further = tuple(_after(tier, event, closed) for tier in self.further)
        messages = self.messages.apply(event)
        lessons = self.lessons.apply(event) if self.lessons else None
        graph = self.graph.apply(event)
        mine = (self.first, self.second, self.knowledge, self.messages, self.lessons)
        same = all(map(_same, (first, second, knowledge, messages, lessons), mine))
        same = same and graph is self.graph
        if same and all(map(_same, further, self.further)):
            return self
        return replace(
            self,
            first=first,
            second=second,
            further=further,
            knowledge=knowledge,
            messages=messages,
            lessons=lessons,
            graph=graph,
        )

    def context(self, slot: Slot, role: str) -> MemoryContext:
        """Return what a prompt of this role shows for a slot; each tier within its limit.

        Raises:
            FoldError: A further tier fails, or what it returns is no text.
        """
        footer = self.second.footer(role) if self.second else ""
        shown, withheld = self.first.exposure(slot)
        earlier = self.lessons.exposure(slot, role) if self.lessons else Exposed()
        return MemoryContext(
            items=earlier.shown,
            items_withheld=earlier.withheld,
            sections=tuple(self._sections(slot, role, earlier.text)),
            footer=footer,
            shown=shown,
            withheld=withheld,
        )

    def advice(self) -> Advice:
        """Return the advice of all tiers as one: factors multiply, evidence adds up.

        Of a change of which several tiers believe something the first one's belief counts.
        Where what changes save does not add up, as in a scored program, nobody is believed.

        Raises:
            FoldError: A further tier fails, or what it returns is no advice.
        """
        others = (tier for tier in self.tiers if tier is not self.first)
        said = [self.first.advice(), *map(_advice, others)]
        adding = said if self.first.adds_up else ()
        believed = [one.believed for one in adding if one.believed is not None]
        return Advice(
            directions=_multiplied(said[0].directions, (one.directions for one in said[1:])),
            believed=partial(_joined, believed) if believed else None,
            prior=_added(one.prior for one in said),
            session=self.session,
            actions=partial(_actions, self.messages, self.session),
        )

    def _sections(self, slot: Slot, role: str, lessons: str) -> Iterator[ContextSection]:
        for tier in self.tiers:
            with blame(f"memory tier {tier.name!r}"):
                # a search is dear: lessons were chosen once, with what is on record of them
                whole = lessons if tier is self.lessons else tier.context(slot, role)
                text, tokens = limited_text(whole, tier.token_limit, self.counter)
            if text:
                yield ContextSection(source=tier.name, text=text, tokens=tokens)


def _after(tier: MemoryTier, event: Event, closed: ClosedStep | None) -> MemoryTier:
    with blame(f"memory tier {tier.name!r}"):
        return _required(tier.apply(event, closed), type(tier), "apply")


def _actions(messages: MessagesTier, session: SessionMemory) -> tuple[NextAction, ...]:
    """Return what agents might do next; who mends an error with a known fix comes first."""
    fixes = {fix.error_pattern: fix.solution for fix in session.known_fixes}
    return suggest_next_actions(messages.agents.known, known_fixes=fixes)


def _advice(tier: MemoryTier) -> Advice:
    with blame(f"memory tier {tier.name!r}"):
        advice = _required(tier.advice(), Advice, "advice")
        for key, factor in advice.directions.items():
            _require_weight(f"the factor of {key!r}", factor)
        for name, evidence in advice.prior.items():
            for count in evidence:
                _require_weight(f"the evidence of {name!r}", count)
        return advice


def _require_weight(what: str, number: float) -> None:
    """Make sure that a number can weigh something.

    Raises:
        ValueError: It is negative, infinite or NaN. Bounds would make a ban of it.
    """
    if not 0 <= number < math.inf:
        raise ValueError(f"{what} is {number}, not a number from 0 on")


def _required(made: object, kind: type[_Made], call: str) -> _Made:
    """Return what a call returned, if it is of the kind that it should be.

    Raises:
        TypeError: It is not.
    """
    if not isinstance(made, kind):
        told = f"`{call}` returns {type(made).__name__}, not {kind.__name__}"
        raise TypeError(told)
    return made


def _same(one: object, other: object) -> bool:
    return one is other


def _check_names(tiers: Sequence[MemoryTier]) -> None:
    name, times = Counter(tier.name for tier in tiers).most_common(1)[0]
    if times > 1:
        raise ConfigError(
            f"memory.tiers: {times} tiers are called {name!r}",
            hint="name each tier once; `local` is there already",
        )


def _multiplied(
    first: Mapping[str, float], others: Iterable[Mapping[str, float]]
) -> Mapping[str, float]:
    """Return the product of all factors by direction, within the bounds."""
    found: dict[str, float] = {}
    for each in others:
        for key, factor in each.items():
            known = found.get(key, first.get(key, 1.0))
            found[key] = min(max(known * factor, LEAST), MOST)
    return {**first, **found} if found else first


def _added(priors: Iterable[Mapping[str, Evidence]]) -> dict[str, Evidence]:
    """Return wins and losses of all tiers by operator, within the bounds."""
    found: dict[str, Evidence] = {}
    for each in priors:
        for name, (wins, losses) in each.items():
            won, lost = found.get(name, (0.0, 0.0))
            found[name] = (min(won + wins, _EVIDENCE), min(lost + losses, _EVIDENCE))
    return found


def _joined(
    believed: Sequence[Callable[[], Mapping[Edit, Believed]]],
) -> Mapping[Edit, Believed]:
    if len(believed) == 1:
        return believed[0]()
    return {edit: known for told in reversed(believed) for edit, known in told().items()}


if TYPE_CHECKING:
    from se_agent.protocols import Memory

    _stack: Callable[..., Memory] = MemoryStack
    _first: Callable[..., MemoryTier] = LocalTier
    _second: Callable[..., MemoryTier] = SessionTier
