"""What models tried in closed steps and what came of it, by role and strategy: a fold.

A slot is shown what was closed when it was selected, as with memory: a generation is asked with
what was known when it was opened. Not here: what a prompt shows of it (`se_agent.memory`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from se_agent.chat.events import Replied
from se_agent.chat.messages import LEARNING, family_of
from se_agent.events import Event, GenerationOpened, Learned, Relayed
from se_agent.memory import PastTurn, Threads, ratio, result_phrase, score_change
from se_agent.store.blobs import digest_of
from se_agent.values.evaluation import ComparisonKind, Status
from se_agent.values.step import Step

if TYPE_CHECKING:
    from se_agent.engine.state.open_steps import OpenSlot
    from se_agent.engine.state.state import State


class HistoriesFold:
    """The fold.

    Attributes:
        value: All threads.
        seen: Those that slots selected now are asked with.
        surcharge: Tokens of a prompt by model, as it counts, for one of ours; of closed steps,
            so that it does not matter which reply came first.
    """

    reads: ClassVar = (GenerationOpened, Learned, Relayed)

    def __init__(self, run: State) -> None:
        self.value, self.seen = Threads(), Threads()
        self.surcharge: Mapping[str, float] = {}
        self._run = run

    def apply(self, event: Event) -> None:
        """Take in a closed step; who is asked from now on may see it, or not yet."""
        if isinstance(event, Relayed):  # what was tried before is another policy's
            self.value = self.seen = Threads()
        if isinstance(event, Learned):
            self._close()
        if isinstance(event, GenerationOpened) or self._run.steady:
            self.seen = self.value

    def at(self, slot: int) -> Threads:
        """Return the threads that a slot is asked with."""
        del slot
        return self.seen

    def _close(self) -> None:
        last = self._run.open.last
        replies = last.stages.replies
        for reply in replies:
            if reply.counted:
                known = self.surcharge.get(reply.model, 1.0)
                factor = max(known, reply.usage.prompt / reply.counted)
                self.surcharge = {**self.surcharge, reply.model: factor}
        said = [reply for reply in replies if reply.role not in LEARNING]
        if said and last.step is not None:
            exact = self._run.begun.measure is ComparisonKind.EXACT
            self.value = self.value.with_turn(_turn(last.stages, last.step, said, exact=exact))


def _turn(stages: OpenSlot, step: Step, said: list[Replied], *, exact: bool) -> PastTurn:
    last = max(said, key=lambda reply: reply.attempt)
    made = step.proposal
    return PastTurn(
        slot=step.slot.number,
        agent=last.role,
        strategy=step.slot.strategy,
        declared=made.direction if made else ", ".join(s.name for s in step.planned),
        outcome=_outcome(step, exact=exact),
        objection=stages.objected.get((family_of(last.role), last.attempt), ""),
        gain=step.gain,
        failed=step.effect is None and not step.planned,
        request=min(said, key=lambda reply: reply.attempt).request,
        reply=digest_of(last.text),
        tokens=last.usage.completion,
    )


def _outcome(step: Step, *, exact: bool) -> str:
    """Return what came of a step, on one line."""
    if step.planned:
        return f"{len(step.planned)} strategies"
    if step.proposal is None:
        return "no program"
    if step.duplicate_of:
        return f"the same program as {step.duplicate_of}"
    if step.verdict is None or step.evaluation is None:
        return "not evaluated"
    if step.verdict.status is not Status.AC:
        return result_phrase(step)
    effect = step.verdict.effect
    change = f"score {score_change(effect)}" if exact else ratio(effect)
    return f"right, {change}{', proven' if step.verdict.significant else ''}"
