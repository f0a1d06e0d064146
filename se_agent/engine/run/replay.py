"""Replay: run the loop again on what a journal recorded, and hold the two side by side.

Policy, operators, judge, memory and folds run for real; evaluations, blocks and the clock come
from the record, and so does what a person did: each rollback, and what the run was told. If the
events agree, the run is what its configuration says it is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from se_agent.chat.events import RolledBack, Told
from se_agent.config.changes import left_out, more
from se_agent.config.run_file import Run
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.folder import stored
from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.evaluator_pool import RUN, Recorder
from se_agent.engine.models.prompt_room import PromptRoom
from se_agent.engine.run.driver import OpenRun, drive
from se_agent.engine.run.experience import recorded_recall
from se_agent.engine.run.recorded import (
    RecordedCalls,
    RecordedEvaluator,
    RecordedSeeds,
)
from se_agent.engine.run.recorded_meter import RecordedMeter
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.engine.run.rollback import rollback_to
from se_agent.engine.run.session_rollback import session_rollback
from se_agent.engine.run.user_hints import Hint, told
from se_agent.engine.state.extension import later_settings
from se_agent.engine.state.state import State
from se_agent.engine.step.survey import recorded_survey
from se_agent.errors import RecordEndsError
from se_agent.events import (
    Ended,
    Event,
    GenerationOpened,
    Learned,
    Resumed,
    SearchEnded,
    Started,
)
from se_agent.protocols import Evaluator
from se_agent.values.lesson import Direction
from se_agent.values.session import NOTHING_AGREED, SessionMemory


@dataclass(frozen=True, kw_only=True)
class Replay:
    """What a replay showed.

    Attributes:
        recorded: The journal's events, canonical.
        replayed: The replay's.
        complete: Whether the run had ended.
        cut: Slot from which on steps were broken off, as time ran out; None: none was.
        without: Folds and memory tiers that the run was begun with and left out later. They
            are missing in the whole replay; steps that were shown them may differ.
    """

    recorded: tuple[str, ...]
    replayed: tuple[str, ...]
    complete: bool
    cut: int | None = None
    without: tuple[str, ...] = ()

    @property
    def differences(self) -> tuple[str, ...]:
        """Replayed events that are not on record, and, of an ended run, the reverse.

        A replay of an unfinished run goes on a little where nothing has to be measured: what
        is of a stage that the record never reached is no difference.
        """
        recorded, replayed = (
            Counter(self._lasting(lines)) for lines in (self.recorded, self.replayed)
        )
        extra = list((replayed - recorded).elements())
        if not self.complete:
            reached = {_stage(line) for line in self.recorded}
            return tuple(f"+ {line}" for line in extra if _stage(line) in reached)
        missing = (recorded - replayed).elements()
        return (*(f"+ {line}" for line in extra), *(f"- {line}" for line in missing))

    def _lasting(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield what is of no step and no trial that was broken off when time ran out."""
        stages = [(line, *_stage(line)) for line in lines]
        tried = {slot for _, slot, kind in stages if kind == "trimmed"}
        for line, slot, kind in stages:
            open_ = self.cut is not None and slot >= self.cut
            if not (open_ and kind in _OF_STEPS) and (slot >= RUN or slot in tried):
                yield line


class Repeating(Recorder):
    """Records what a replay comes to, and what a person did at the place of the record.

    Memory moves on with closed steps, and a generation is asked with what was known when it was
    opened: which two of these events a rollback or a suggestion lies between is all that
    matters of its place. Of other settings it matters, too, whether the search was over.
    """

    def __init__(self, journal: Journal, state: State, recorded: Iterable[Event]) -> None:
        super().__init__(journal, state, ())
        self._passed = 0
        self._done: dict[int, list[RolledBack | Told | Resumed]] = {}
        self._lists: dict[int, tuple[Direction, ...]] = {}
        self._named: set[int] = set()
        self._sessions: list[SessionMemory] = [NOTHING_AGREED]
        passed, ended = 0, False
        for event in recorded:
            passed += isinstance(event, _PLACES)
            ended = ended or isinstance(event, Ended)
            if _reset(event) and ended:
                ended = False  # what lets an ended run go on is recorded by `_repeated`
            elif isinstance(event, RolledBack | Told | Resumed) and not _plain(event):
                self._done.setdefault(passed, []).append(event)
            if isinstance(event, RolledBack) and event.session is None:
                self._named.add(event.version)

    def __call__(self, event: Event, texts: Iterable[str] = ()) -> None:
        """Record one event, and what a person did right after it."""
        self._recorded(event, texts)
        if not isinstance(event, _PLACES):
            return
        self._passed += 1
        for done in self._done.get(self._passed, ()):
            if isinstance(done, Resumed):
                self._recorded(done)
            elif isinstance(done, Told):
                self._recorded(told(self.state, Hint(done.direction, done.constraint)))
            elif done.session is not None:
                if done.version < len(self._sessions):
                    session = self._sessions[done.version]
                    self._recorded(session_rollback(self.state, done.version, session))
            elif done.version in self._lists:
                # A run that took another way may never have had it; then it is missed.
                found = self._lists[done.version]
                self._recorded(rollback_to(self.state, done.version, found))

    def _recorded(self, event: Event, texts: Iterable[str] = ()) -> None:
        """Record one event, and keep the directions that it made, if a rollback names them."""
        super().__call__(event, texts)
        memory = self.state.memory
        if memory is not None and memory.local.version in self._named:
            self._lists.setdefault(memory.local.version, memory.local.attempted_directions)
        if memory is not None and memory.session != self._sessions[-1]:
            self._sessions.append(memory.session)


_PLACES = (Started, GenerationOpened, Learned, SearchEnded)
_OF_STEPS = {
    "relayed",
    "selected",
    "replied",
    "unanswered",
    "planned",
    "proposed",
    "evaluated",
    "block_measured",
    "challenged",
    "observed",
    "retested",
}


def _plain(event: Event) -> bool:
    """Say whether a run was only taken up again, as it was."""
    return isinstance(event, Resumed) and not event.settings


def _reset(event: Event) -> bool:
    return isinstance(event, Resumed) and bool(event.settings)


def _stretches(events: Sequence[Event]) -> Iterator[tuple[Resumed | None, list[Event]]]:
    """Yield what a run did until each of its ends, with what let it go on from the last one."""
    begun: Resumed | None = None
    stretch, ended = list[Event](), False
    for event in events:
        if ended and isinstance(event, Resumed) and more(event.settings):
            yield begun, stretch
            begun, stretch, ended = event, [], False
        ended = ended or isinstance(event, Ended)
        stretch.append(event)
    yield begun, stretch


def _stage(line: str) -> tuple[int, str]:
    event = json.loads(line)
    return event["slot"], event["kind"]


def replay(folder: Path) -> Replay:
    """Run a recorded run again without measuring anything.

    Raises:
        JournalError: There is no such run, or its folder is incomplete.
    """
    with (
        Journal(folder / "run.db", write=False) as journal,
        Journal(Path(":memory:")) as again,
    ):
        events = list(journal.events())
        started, config, problem = stored(folder, events)
        left = left_out(config, later_settings(events))
        without = tuple(name for name in _outside(config) if name not in [*_outside(left)])
        ends = [event for event in events if isinstance(event, SearchEnded)]
        resolved = ResolvedRun.of(left, problem, tokenizer=started.tokenizer)
        record = Repeating(again, resolved.new_state(), events)
        record(started)
        survey = recorded_survey(events, journal.text)
        room = PromptRoom(resolved.config, record.state, resolved.counter)
        calls = RecordedCalls(record, events, journal.text, room)
        past = recorded_recall(events)
        opened = OpenRun(resolved, record, calls, survey=survey, recall=past)
        # An ended run whose record ends too early for its replay differs: it is not unfinished.
        complete = _repeated(opened, events) or _has_ended(events)
        replayed = canonical(again.events())
    return Replay(
        recorded=tuple(canonical(events)),
        replayed=tuple(replayed),
        complete=complete,
        cut=ends[-1].closed if ends else None,
        without=without,
    )


def _outside(config: Run) -> Iterator[str]:
    """Yield what packages bring to a run, in words."""
    yield from (f"fold {name!r}" for name in config.folds)
    yield from (f"memory tier {name!r}" for name in config.memory.tiers)


def _has_ended(events: Sequence[Event]) -> bool:
    """Say whether a run had come to its end, and was not taken up again since."""
    last = next((e for e in reversed(events) if isinstance(e, Ended | Resumed)), None)
    return isinstance(last, Ended)


def _repeated(opened: OpenRun, events: Sequence[Event]) -> bool:
    """Repeat a run, end after end; return whether the record has its last one."""
    known: RecordedEvaluator | None = None
    try:
        for begun, stretch in _stretches(events):
            if known is None or begun is None:
                known = RecordedEvaluator(stretch)
            else:
                known.go_on(stretch)
                opened.record(begun)
            opened = replace(opened, seeds=RecordedSeeds(stretch))
            evaluators: list[Evaluator] = [known] * opened.resolved.config.workers
            drive(opened, evaluators, RecordedMeter(stretch), partial(list, evaluators))
    except RecordEndsError:
        return False
    return True
