"""What every fold keeps to, ours and a third party's. Inherit and give the fixtures."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable, Iterator, Sequence

from se_agent.abilities.optional import Picturing
from se_agent.chat.events import EventBase, Objected, Planned, Replied, Unanswered
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Evaluated,
    Event,
    Learned,
    Observed,
    Proposed,
    Retested,
    Selected,
)
from se_agent.protocols import Fold

_CALLS = (Replied, Unanswered, Objected, Planned)
_STAGES = (*_CALLS, Proposed, Evaluated, BlockMeasured, Challenged, Observed, Retested)


def late(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events as if each stage of an open slot came right before its step is closed."""
    waiting: dict[int, list[Event]] = {}
    for event in events:
        if isinstance(event, _STAGES) and event.slot >= 0:
            waiting.setdefault(event.slot, []).append(event)
            continue
        if isinstance(event, Learned):
            yield from waiting.pop(event.slot, ())
        yield event


def pictures(fold: Fold, events: Iterable[Event]) -> dict[int, object]:
    """Fold events, and return what each slot may see."""
    found = {}
    for event in events:
        if isinstance(event, fold.reads):
            fold.apply(event)
        if isinstance(event, Selected) and isinstance(fold, Picturing):
            found[event.slot] = fold.at(event.slot)
    return found


class FoldContract:
    """Inherited by the tests of a fold: `fold` is a fresh one, `events` those of a run."""

    def test_it_reads_events(self, fold: Fold) -> None:
        assert fold.reads
        assert all(issubclass(kind, EventBase) for kind in fold.reads)

    def test_it_has_a_picture_before_the_first_event(self, fold: Fold) -> None:
        if isinstance(fold, Picturing):
            assert fold.at(0) == copy.deepcopy(fold).at(0)

    def test_the_same_events_give_the_same_pictures(
        self, fold: Fold, events: Sequence[Event]
    ) -> None:
        other = copy.deepcopy(fold)
        assert pictures(fold, events) == pictures(other, events)

    def test_it_goes_on_from_where_it_was_kept(
        self, fold: Fold, events: Sequence[Event]
    ) -> None:
        whole, half = copy.deepcopy(fold), len(events) // 2
        shown = pictures(whole, events)
        again = pictures(fold, events[:half])
        kept: Fold = pickle.loads(pickle.dumps(fold))
        assert again | pictures(kept, events[half:]) == shown
        assert vars(kept) == vars(whole)

    def test_what_is_shown_stays_as_it_is(self, fold: Fold, events: Sequence[Event]) -> None:
        told: list[object] = []
        shown: list[object] = []
        for event in events:
            found = pictures(fold, [event])
            shown += found.values()
            told += copy.deepcopy([*found.values()])
        assert shown == told

    def test_the_order_of_open_stages_changes_nothing_that_is_shown(
        self, fold: Fold, events: Sequence[Event]
    ) -> None:
        other = copy.deepcopy(fold)
        assert pictures(fold, late(events)) == pictures(other, events)
