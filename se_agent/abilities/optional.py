"""Seams that policies, operators, models, extractors, listeners and folds may serve besides.

Not here: those of evaluators (`evaluator`), and what all need (`se_agent.protocols`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from se_agent.events import Relayed
from se_agent.values.brief import Brief, MendedText
from se_agent.values.lesson import Direction, Lesson
from se_agent.values.search_context import Strategy
from se_agent.values.solution import Edit
from se_agent.values.step import Step
from se_agent.values.view import Offer, View


@runtime_checkable
class Archiving(Protocol):
    """What a policy may offer besides: programs that it keeps although no view shows them."""

    def kept(self) -> Iterable[str]:
        """Return their ids; they stay in `View.solutions`, unless they turn out to be wrong."""
        ...


@runtime_checkable
class Relaying(Protocol):
    """A policy of several, one of which goes on where another one is stuck."""

    def due(self, view: View) -> Relayed | None:
        """Return the switch that comes before slot `view.slot` is filled; None: there is none.

        It changes nothing: the run records the event, and `go_on` is called by that.
        """
        ...

    def go_on(self, event: Relayed) -> None:
        """Switch, as the event says; steps of slots before it are no more of interest."""
        ...


@runtime_checkable
class Offering(Protocol):
    """What an operator of one parent may do besides: tell what it has before it is asked.

    A policy chooses among offers, and never asks in vain where there are none.
    """

    def offers(self, brief: Brief) -> Sequence[Offer] | None:
        """Return what it has for the parent and was not tried, in the order of variants.

        None: it has something, and cannot tell what before it is asked.

        `propose` makes the program of offer n in a slot with this parent and variant n. What
        is on offer depends on the parent, on what was seen of it, on what was tried and on what
        folds show; not on the rest of the slot, nor on the history.
        """
        ...


@runtime_checkable
class FailureMending(Protocol):
    """An operator that mends failing programs and makes nothing else, without a model.

    It has the attribute `mends`, True. Its brief has what is to be mended in `search.failure`;
    its child is compared with the first parent of that.
    """

    def can_mend(self, brief: Brief) -> bool:
        """Say whether `propose` has something for this failure that was not tried yet."""
        ...


@runtime_checkable
class Replaying(Protocol):
    """What an operator may offer besides: its edits, made again on another program.

    A crossover unites two genomes this way. Edits of an operator without it are dropped there.
    """

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Return the files with this edit made, or None where its place is gone.

        Args:
            files: Complete texts by relative path; left as they are.
            edit: One that this operator made, perhaps on other files.
            editable: Qualified name of the only function that may change; empty: all.
        """
        ...


@runtime_checkable
class Telling(Protocol):
    """What an operator may do besides: say of an edit what it does, for people."""

    @staticmethod
    def said_of(edit: Edit) -> str:
        """Return it in a sentence; empty: what the operator does says it."""
        ...


@runtime_checkable
class Planning(Protocol):
    """A model-written operator that makes strategies: its `parse` gives no candidate.

    An attribute `schema`, if it has one, is the JSON schema that its reply shall follow.
    """

    def strategies(self, reply: str, brief: Brief) -> tuple[Strategy, ...]:
        """Return the strategies found in `reply`, none of them in the brief's ledger.

        Raises:
            ReplyError: The reply cannot be used as it is. The model is told why, once.
        """
        ...


@runtime_checkable
class TextMending(Protocol):
    """What an operator that mends may offer besides: to put a refused reply's text right."""

    def mended_text(self, text: str, parent: str) -> MendedText | None:
        """Return the text as a program; None: it is one, or cannot be put right.

        Args:
            text: What a model wrote.
            parent: The program that it was made from.
        """
        ...


@runtime_checkable
class Reachable(Protocol):
    """What a model may offer besides: to see whether its endpoint is there at all."""

    def reach(self) -> None:
        """Return once somebody listens there, or after a few seconds without a word.

        Raises:
            ModelError: Nobody does, or there is no such host.
        """
        ...


@runtime_checkable
class Contrasting(Protocol):
    """What an extractor may offer besides: a lesson from all siblings of a generation."""

    def contrast(
        self,
        problem: str,
        siblings: Sequence[Step],
        step: Step | None,
        directions: Sequence[Direction],
        *,
        slot: int,
    ) -> Lesson:
        """Return the lesson of a generation's last slot, in place of `extract`.

        Args:
            problem: The statement.
            siblings: Steps of the generation that are closed, each with its own lesson.
            step: Step of the last slot; None: it has no candidate.
            directions: The current list.
            slot: Number of the last slot.
        """
        ...


@runtime_checkable
class Attending(Protocol):
    """What a listener may offer besides: to be told what goes on between two events."""

    def on_work(self, what: str) -> None:
        """Take note of what is begun, in words; nothing of it is on record."""
        ...


@runtime_checkable
class Resumable(Protocol):
    """What a listener may offer besides: to be given its past at once when a run goes on."""

    def snapshot(self) -> object:
        """Return all that it knows of the run so far, as data that can be pickled.

        Its size does not grow with the run. None: it knows nothing, and needs not be told of
        the past.
        """
        ...

    def restore(self, past: object) -> None:
        """Know what another one of its kind knew, instead of what it knows."""
        ...


@runtime_checkable
class Picturing(Protocol):
    """What a fold may do besides: tell what a slot may see of it."""

    def at(self, slot: int) -> object:
        """Return the picture for a slot that was just selected, or is to be the next.

        It is immutable, or a copy that nobody else has: later events leave it as it is. Before
        the first event it is that of slot 0, which a dry run shows.
        """
        ...
