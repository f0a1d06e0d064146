"""What a policy may see when it selects the next slot: frozen and without I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from se_agent.values.memory_context import Advice
from se_agent.values.search_context import Failure, Strategy
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Slot


@dataclass(frozen=True, kw_only=True)
class Member:
    """A right solution of the population.

    Attributes:
        solution: The program.
        effect: Composed along judged comparisons from the initial program.
        variance: Summed along the same path.
        proven: Whether every comparison on that path was significant.
    """

    solution: Solution
    effect: float = 0.0
    variance: float = 0.0
    proven: bool = True


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One change that an operator could make of a parent, told before it is asked for.

    Attributes:
        edit: The change; its rule and its function are what a policy learns about.
        content: Content address of the program that it would make.
        heat: Share of the parent's cost that is spent where the change is, 0 to 1; None where
            that is not known.
    """

    edit: Edit
    content: str
    heat: float | None = None


Offers = Mapping[str, Sequence[Offer]]

"""What is new for a parent, by operator and in the order of its variants.

An operator that is not named says nothing of what it has: it must be asked.
"""


def _unsaid(_: Solution) -> Offers:
    return {}


def _unmended(_: Failure) -> bool:
    return False


def _unknown(_: Solution) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class View:
    """The past that a slot may see: closed steps, as many as the run's schedule says.

    Attributes:
        slot: Number of the slot to fill.
        generation: Generation that it belongs to, from 1.
        index: Place within the generation, from 0.
        initial: The program that the run started from.
        best: The incumbent, which only a significant direct comparison replaces.
        members: Right solutions, best composed effect first, at most a few dozen.
        advice: What memory advises this slot; nothing where the slot is without memory.
        solutions: Right solutions by id: members, and what the policy keeps (`Archiving`).
        open_slots: Slots that are selected but not yet closed.
        strategies: All that were planned, in order.
        stale: Closed steps in a row without a new best program.
        failures: The newest model-written candidates that were not right, oldest first.
        offers: Tells what operators have for a parent that was not tried yet, not even in
            `open_slots`; most have nothing.
        can_mend: Tells whether a failure can be mended without a model by what was not tried.
        hottest: Tells the line in which a program spends most of its time; empty: unknown.
    """

    slot: int
    generation: int
    index: int
    initial: Member
    best: Member
    members: tuple[Member, ...] = ()
    advice: Advice = field(default_factory=Advice, repr=False)
    solutions: Mapping[str, Member] = field(default_factory=dict, repr=False)
    open_slots: tuple[Slot, ...] = ()
    strategies: tuple[Strategy, ...] = ()
    stale: int = 0
    failures: tuple[Failure, ...] = ()
    offers: Callable[[Solution], Offers] = field(default=_unsaid, repr=False)
    can_mend: Callable[[Failure], bool] = field(default=_unmended, repr=False)
    hottest: Callable[[Solution], str] = field(default=_unknown, repr=False)

    def fill(
        self,
        *parents: Solution,
        operator: str,
        variant: int = 0,
        strategy: str = "",
        subject: str = "",
        edits: tuple[Edit, ...] = (),
    ) -> Slot:
        """Return this slot, filled; its id and its address are not a choice."""
        return Slot(
            number=self.slot,
            generation=self.generation,
            child=f"Gen{self.generation}_Sol_{self.index}",
            parents=parents,
            operator=operator,
            variant=variant,
            strategy=strategy,
            subject=subject,
            edits=edits,
        )
