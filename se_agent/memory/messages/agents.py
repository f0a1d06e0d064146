"""What events say of agents: who began what, what came of it, who was told (AM-39 to AM-42).

Pure. A slot belongs to the rules until a model is asked in it. Not here: what contexts and
messages are (`contexts`), and what a prompt shows of them (`tier`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from se_agent.chat.escaping import shortened_text
from se_agent.chat.events import Planned, Replied, Unanswered
from se_agent.chat.messages import LEARNING, family_of
from se_agent.events import Evaluated, Event, Learned, Observed, Proposed, Selected
from se_agent.memory.messages.contexts import (
    DEPENDENCIES,
    AgentContexts,
    send_message,
    update_agent_context,
)
from se_agent.values.evaluation import Evaluation, Status

RULES, EVALUATOR, PROFILER = "rules", "evaluator", "profiler"
_WIDTH = 200  # characters of a task, an output or a message


class _OpenSlot(NamedTuple):
    agent: str
    child: str
    operator: str
    subject: str
    direction: str = ""


@dataclass(frozen=True)
class Agents:
    """The agents of a run, and the slots that are open.

    Attributes:
        known: Contexts and messages.
        slots: What is known of each open slot.
    """

    known: AgentContexts = field(default_factory=AgentContexts)
    slots: Mapping[int, _OpenSlot] = field(default_factory=dict)

    def after(self, event: Event) -> Agents:
        """Return the agents after an event."""
        match event:
            case Selected():
                begun = _OpenSlot(RULES, event.child, event.operator, event.subject)
                return self._begun(event.slot, begun)
            case Replied() | Unanswered() if event.role not in LEARNING:
                return self._asked(event.slot, family_of(event.role))
            case Proposed() if event.proposal is not None and event.slot in self.slots:
                direction = event.proposal.direction
                slot = self.slots[event.slot]._replace(direction=direction)
                return replace(self, slots={**self.slots, event.slot: slot})
            case Planned():
                return self._planned(event)
            case Evaluated():
                return self._judged(event.slot, event.solution, event.evaluation)
            case Observed():
                return self._advised(event)
            case Learned() if event.slot in self.slots:
                return self._closed(event)
        return self

    def _begun(self, number: int, slot: _OpenSlot) -> Agents:
        what = f"mend {slot.subject}" if slot.subject else f"{slot.operator} makes {slot.child}"
        known = update_agent_context(
            self.known, slot.agent, "starting", task=shortened_text(what, _WIDTH), slot=number
        )
        return Agents(known, {**self.slots, number: slot})

    def _asked(self, number: int, agent: str) -> Agents:
        slot = self.slots.get(number)
        if slot is None or slot.agent == agent:
            return self
        return self._begun(number, slot._replace(agent=agent))

    def _planned(self, event: Planned) -> Agents:
        names = ", ".join(strategy.name for strategy in event.strategies)
        text, known = shortened_text(f"plans {names}", _WIDTH), self.known
        for receiver in known.dependents("plan"):
            known = send_message(known, "plan", receiver, "context", text, slot=event.slot)
        return replace(self, known=known)

    def _judged(self, number: int, solution: str, found: Evaluation) -> Agents:
        known, slot = self.known, self.slots.get(number)
        if found.status is not Status.AC:
            said = shortened_text(found.feedback or found.status.value, _WIDTH)
            known = update_agent_context(
                *(known, EVALUATOR, "failed"),
                task=f"judge {solution}",
                output=said,
                slot=number,
                about=solution,
            )
        elif slot is not None and slot.subject:
            said = f"{solution} mends {slot.subject}"
            known = send_message(
                *(known, slot.agent, EVALUATOR, "result"),
                *(said,),
                slot=number,
                about=slot.subject,
            )
        return replace(self, known=known)

    def _advised(self, event: Observed) -> Agents:
        hottest = next(iter(event.observation.hot), None)
        if hottest is None:
            return self
        known, line = self.known, f"line {hottest.line} of {event.solution}"
        text = shortened_text(f"{line} costs most: {hottest.text}", _WIDTH)
        for receiver in ("plan", "mutate"):
            known = send_message(
                known, PROFILER, receiver, "advice", text, slot=event.slot, about=event.solution
            )
        return replace(self, known=known)

    def _closed(self, event: Learned) -> Agents:
        slots = dict(self.slots)
        slot = slots.pop(event.slot)
        verdict = event.verdict
        is_wrong = verdict is not None and verdict.status is not Status.AC
        came = "nothing to evaluate" if verdict is None else f"{event.child}: {verdict.status}"
        if verdict is not None and verdict.significant:
            came = f"{event.child}: proven better"
        output = f"{slot.direction}: {came}" if slot.direction else came
        known = update_agent_context(
            self.known,
            slot.agent,
            "failed" if is_wrong else "completed",
            output=shortened_text(output, _WIDTH),
            slot=event.slot,
            about=event.child,
        )
        return Agents(known, slots)


def agents_of(events: Iterable[Event], dependencies: Mapping[str, tuple[str, ...]]) -> Agents:
    """Return the agents after all events of a journal, or after its beginning.

    Args:
        events: Oldest first.
        dependencies: Agents that each one waits for; empty: the usual ones.
    """
    found = Agents(AgentContexts(dependencies=dependencies or DEPENDENCIES))
    for event in events:
        found = found.after(event)
    return found
