"""What a journal holds, in place of what made it: evaluators, models and clocks of a replay.

Nothing is run, nobody is asked. Not here: the replay itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from se_agent.chat.events import Replied, Unanswered
from se_agent.chat.messages import Message, family_of
from se_agent.chat.reading_requests import ReadingRequest
from se_agent.engine.journal.transcript import packed_messages, unpacked_messages
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.models.prompt_room import PromptRoom
from se_agent.engine.run.recorded_meter import unconfirmed
from se_agent.errors import (
    JournalError,
    RecordEndsError,
    SandboxError,
    SeAgentError,
    UnfinishedError,
)
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Confirmed,
    Evaluated,
    Event,
    Learned,
    Observed,
    Retested,
    SearchEnded,
    Seeded,
    Started,
    Trimmed,
)
from se_agent.memory_events import Fetched
from se_agent.redaction.redactor import MARK
from se_agent.values.evaluation import (
    Block,
    Counterexample,
    Evaluation,
    Hunt,
    InputSet,
    Measurement,
    Preflight,
    Status,
    TestKey,
)
from se_agent.values.observation import GrowthPair, Observation
from se_agent.values.solution import Solution

_FLAGGED = ", compiled with "


class _RecordedGrowth:
    """How the time of champions grows, as it is on record."""

    def __init__(self) -> None:
        self._growths: dict[str, GrowthPair | None] = {}

    def growth(self, old: Solution, new: Solution) -> GrowthPair | None:
        """Return what the confirmation of a program told of it."""
        return self._growths.get(new.id)


class RecordedEvaluator(_RecordedGrowth):
    """Answers from a journal; runs nothing.

    Args:
        events: Events of the run, from its start to its next end.

    Attributes:
        kind: Kind of the recorded run.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        super().__init__()
        started = next(event for event in events if isinstance(event, Started))
        self.kind = started.measure
        self._evaluations: dict[tuple[str, str], Evaluation] = {}
        self._blocks: dict[tuple[str, str, InputSet, int], deque[Block]] = {}
        self._hunts: dict[str, deque[Hunt]] = {}
        self._observed: dict[str, Observation] = {}
        self._retested: dict[tuple[str, TestKey], Evaluation] = {}
        self._tested: set[tuple[str, TestKey]] = set()
        self._evaluated: set[str] = set()
        self._tests: list[Counterexample] = []
        self._closed: set[str] = set()
        self.go_on(events)

    def go_on(self, events: Sequence[Event]) -> None:
        """Take in what a run did from one end to the next; of later ones nothing is known yet.

        What was broken off in a step is taken up again, a confirmation begins anew.
        """
        self._was_late = any(map(_was_late, events))
        self._is_confirmed = any(isinstance(event, Confirmed) for event in events)
        self._blocks = {k: v for k, v in self._blocks.items() if k[2] is not InputSet.FINAL}
        for event in events:
            self._take(event)

    def _take(self, event: Event) -> None:
        match event:
            case Challenged():
                self._hunts.setdefault(event.solution, deque()).append(event.hunt)
                self._tests += [event.hunt.test] if event.hunt.test else []
            case Retested():
                self._retested[event.solution, event.test] = event.evaluation
            case Evaluated():
                self._evaluations[event.solution, event.content] = event.evaluation
                self._tested |= {(event.solution, t.key) for t in self._tests}
            case BlockMeasured():
                key = (event.reference, event.candidate, event.inputs, event.block.number)
                self._blocks.setdefault(key, deque()).append(event.block)
            case Observed():
                self._observed[event.solution] = event.observation
            case Confirmed():
                self._growths[event.solution] = event.growth
            case Learned():
                self._closed.add(event.child)
            case Trimmed():
                self._closed.add(event.solution.id)

    def preflight(self, solution: Solution) -> Preflight:
        """Not needed: the start of the run is taken over as it is."""
        raise RecordEndsError(f"{solution.id}: no preflight on record")

    def evaluate(self, solution: Solution) -> Evaluation:
        """Return the recorded evaluation of this id and content."""
        self._evaluated.add(solution.id)
        try:
            return self._evaluations[solution.id, solution.content]
        except KeyError:
            raise _missing(
                f"{solution.id}: no evaluation on record", late=self._was_late
            ) from None

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Return the recorded block."""
        known = self._blocks.get((reference.id, candidate.id, inputs, number))
        if not known:
            missing = f"{candidate.id}: no block {number} on record"
            if _FLAGGED in candidate.id and self._is_confirmed:
                raise SandboxError(missing, hint="it was broken off; the proof stands without")
            raise _missing(missing, late=self._was_late)
        return known.popleft()  # a run that was extended is confirmed at each of its ends

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Return the next recorded search; none where the run went on without one."""
        if self._hunts.get(solution.id):
            return self._hunts[solution.id].popleft()
        if solution.id in self._closed:
            return Hunt()
        raise _missing(f"{solution.id}: no search on record", late=self._was_late)

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Return the recorded outcome; for tests before an evaluation, that one holds it.

        It holds what they cost, too: the same test may come once more, after it.
        """
        (*_, test) = tests
        name = (solution.id, test.key)
        if name in self._tested and solution.id not in self._evaluated:
            return Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.0))
        if name not in self._retested:
            raise _missing(f"{solution.id}: no test on record", late=self._was_late)
        return self._retested[name]

    def flagged(self, solution: Solution) -> Solution | None:
        """Return what was measured with more compiler flags, if anything was."""
        begins = f"{solution.id}{_FLAGGED}"
        names = (candidate for _, candidate, _, _ in self._blocks)
        found = next((name for name in names if name.startswith(begins)), None)
        return Solution(id=found, files=solution.files) if found else None

    def observe(self, solution: Solution) -> Observation:
        """Return what was seen; nothing where the run went on without."""
        return self._observed.get(solution.id, Observation())

    def draw(self, seed: int) -> None:
        """Draw nothing: what was measured by any seed is on record."""

    def close(self) -> None:
        """Nothing to end."""


class RecordedSeeds:
    """Gives the seed that a confirmation drew by; None where it drew by that of the run.

    Args:
        events: Events of the run, from its start or its last end to its next end.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self._seed = next((e.seed for e in events if isinstance(e, Seeded)), None)

    def __call__(self) -> int | None:
        """Return it."""
        return self._seed


class RecordedCalls:
    """Gives the answers that were recorded; asks nobody, and needs no endpoint.

    An answer stands for what was asked now: where that is another conversation than the
    recorded one, the replay shows it. What was taken out of that as a secret may stand in
    this one: nobody knows here what was one.

    Args:
        record: Takes the answers.
        events: Events of the run.
        text: The journal's texts by digest.
        room: How much of a history a prompt holds.
    """

    def __init__(
        self,
        record: Recorder,
        events: Sequence[Event],
        text: Callable[[str], str],
        room: PromptRoom,
    ) -> None:
        self._record, self._text, self._room = record, text, room
        self._answers = {
            (e.slot, family_of(e.role), e.attempt): e
            for e in events
            if isinstance(e, Replied | Unanswered)
        }
        self._fetched: dict[tuple[int, str, int], list[Fetched]] = {}
        for e in events:
            if isinstance(e, Fetched):
                at = (e.slot, family_of(e.role), e.attempt)
                self._fetched.setdefault(at, []).append(e)

    def ask(
        self,
        slot: int,
        role: str,
        messages: Sequence[Message],
        *,
        attempt: int = 0,
        schema: Mapping[str, Any] | None = None,
    ) -> Replied | Unanswered:
        """Return the recorded answer."""
        known = self._record.state.open.of(slot).answers.get((family_of(role), attempt))
        if known is not None:
            return known
        answer = self._answers.get((slot, family_of(role), attempt))
        if answer is None:
            raise RecordEndsError(f"slot {slot}: no reply on record")
        messages = self._room.fitting(slot, answer.model, messages)
        was_asked = isinstance(answer, Replied) or answer.request
        if was_asked and not self._is_asked(answer.request, messages):
            answer = answer.model_copy(update={"request": packed_messages(messages).digest})
        self._record(answer, self._texts(answer, messages))
        return answer

    def fetch(self, reply: Replied, requests: Sequence[ReadingRequest]) -> list[str]:
        """Return what is on record of the slices, and record it again."""
        found = self._fetched.get((reply.slot, family_of(reply.role), reply.attempt), [])
        if len(found) < len(requests):
            raise RecordEndsError(f"slot {reply.slot}: no slice on record")
        told = [self._text(event.text) for event in found]
        for event, text in zip(found, told, strict=True):
            self._record(event, [text])
        return told

    def _texts(
        self, answer: Replied | Unanswered, messages: Sequence[Message]
    ) -> tuple[str, ...]:
        """Return the texts of a reply, which later prompts may show, and name by digest."""
        if not (self._room.keeps_replies and isinstance(answer, Replied)):
            return ()
        asked = packed_messages(messages)
        if asked.digest != answer.request:  # what was asked lacked secrets
            asked = packed_messages(unpacked_messages(answer.request, self._text))
        return *asked.texts, answer.text

    def _is_asked(self, request: str, messages: Sequence[Message]) -> bool:
        """Say whether a conversation is the recorded one, but for secrets."""
        if packed_messages(messages).digest == request:
            return True
        try:
            known = unpacked_messages(request, self._text)
        except JournalError:
            return False
        return len(known) == len(messages) and all(
            one.role == other.role and _is_cleaned(one.content, other.content)
            for one, other in zip(known, messages, strict=True)
        )

    def finish(self) -> None:
        """Nothing is under way."""

    def close(self) -> None:
        """Nothing is under way."""


def _is_cleaned(text: str, original: str) -> bool:
    """Say whether a text is the original but for what was taken out."""
    first, *between = text.split(MARK)
    if not between:
        return text == original
    *between, last = between
    place = len(first)
    for part in between:
        place = original.find(part, place) + len(part)
        if place < len(part):
            return False
    rest = original[place:]
    return original.startswith(first) and rest.endswith(last)


def _missing(what: str, *, late: bool) -> SeAgentError:
    """Return why there is no more: time ran out, or the run broke off."""
    return UnfinishedError(what) if late else RecordEndsError(what)


def _was_late(event: Event) -> bool:
    """Say whether an event tells that time ran out in the middle of something."""
    cut = isinstance(event, SearchEnded) and event.closed is not None
    return cut or unconfirmed(event)
