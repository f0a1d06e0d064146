"""What each agent of a run is at, and what agents told each other (AM-07, AM-24 to AM-29).

An agent is a role of models, the rules, the evaluator, or a part of the house that advises. All
values are immutable: each function returns the next one. Not here: which events lead to what
(`agents`), and what was asked word by word (`histories`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from se_agent.program.error_template import error_template
from se_agent.values.memory_context import NextAction

MessageType = Literal["context", "error", "result", "advice"]
"""What a message brings: what is planned, a failure, what came of something, or advice."""

KEPT = 64
"""Messages that are kept, the newest."""

DEPENDENCIES: Mapping[str, tuple[str, ...]] = {
    "mutate": ("plan",),
    "repair": ("mutate", "evaluator"),
    "cross_over": ("mutate",),
    "extract": ("evaluator",),
}
"""Agents that an agent waits for, where a run file says nothing else (AM-28)."""


class AgentContext(NamedTuple):
    """What an agent is at, or did last.

    Attributes:
        agent: Its name.
        status: "starting", "completed" or "failed".
        task: What it is to do, in a few words.
        output: What came of it; empty: nothing yet.
        slot: The step.
    """

    agent: str
    status: str
    task: str = ""
    output: str = ""
    slot: int = -1


class AgentMessage(NamedTuple):
    """What one agent told another.

    Attributes:
        number: Place among all messages of the run, from 0.
        sender: Name of the agent that tells.
        receiver: Name of the agent that is told.
        message_type: What it brings.
        content: The words.
        about: Id of the program that it is about; a result answers earlier errors about it.
        slot: The step.
    """

    number: int
    sender: str
    receiver: str
    message_type: str
    content: str
    about: str = ""
    slot: int = -1


@dataclass(frozen=True)
class AgentContexts:
    """All agents of a run.

    Attributes:
        contexts: What each is at, by name.
        messages: The newest, oldest first.
        dependencies: The agents that each one waits for.
        told: Messages so far, also those that are no longer kept.
    """

    contexts: Mapping[str, AgentContext] = field(default_factory=dict)
    messages: tuple[AgentMessage, ...] = ()
    dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: DEPENDENCIES)
    told: int = 0

    def dependents(self, agent: str) -> tuple[str, ...]:
        """Return the agents that wait for one."""
        return tuple(one for one, needs in self.dependencies.items() if agent in needs)


def update_agent_context(
    state: AgentContexts,
    agent: str,
    status: str,
    *,
    task: str = "",
    output: str = "",
    slot: int = -1,
    about: str = "",
) -> AgentContexts:
    """Return the state after an agent began or ended something (AM-25).

    Whoever waits for it is told: of a result where it completed, of an error where it failed.

    Args:
        state: Before.
        agent: Its name.
        status: "starting", "completed" or "failed".
        task: What it is to do; empty: as before.
        output: What came of it.
        slot: The step.
        about: Id of the program that this is about.
    """
    old = state.contexts.get(agent, AgentContext(agent, ""))
    new = AgentContext(agent, status, task or old.task, output, slot)
    state = replace(state, contexts={**state.contexts, agent: new})
    kind: MessageType = "error" if status == "failed" else "result"
    for receiver in state.dependents(agent) if status in ("completed", "failed") else ():
        state = send_message(state, agent, receiver, kind, output, slot=slot, about=about)
    return state


def send_message(
    state: AgentContexts,
    sender: str,
    receiver: str,
    message_type: MessageType,
    content: str,
    *,
    slot: int = -1,
    about: str = "",
) -> AgentContexts:
    """Return the state with a message more; nobody tells anything to itself."""
    if sender == receiver:
        return state
    new = AgentMessage(state.told, sender, receiver, message_type, content, about, slot)
    return replace(state, messages=(*state.messages, new)[-KEPT:], told=state.told + 1)


def get_agent_context(state: AgentContexts, agent: str) -> AgentContext | None:
    """Return what an agent is at; None: it did nothing yet."""
    return state.contexts.get(agent)


def get_messages_for_agent(
    state: AgentContexts, agent: str, message_type: str = ""
) -> tuple[AgentMessage, ...]:
    """Return what an agent was told, oldest first; empty type: whatever it brings."""
    return tuple(
        one
        for one in state.messages
        if one.receiver == agent and message_type in ("", one.message_type)
    )


def get_conversation_between_agents(
    state: AgentContexts, one: str, other: str
) -> tuple[AgentMessage, ...]:
    """Return what two agents told each other, oldest first."""
    both = {one, other}
    return tuple(said for said in state.messages if {said.sender, said.receiver} == both)


def get_dependency_outputs(state: AgentContexts, agent: str) -> Mapping[str, str]:
    """Return what came of the agents that one waits for, where they completed."""
    known = (state.contexts.get(name) for name in state.dependencies.get(agent, ()))
    return {one.agent: one.output for one in known if one and one.status == "completed"}


def open_errors(state: AgentContexts, agent: str = "") -> tuple[AgentMessage, ...]:
    """Return the errors that no result has answered yet, oldest first.

    Args:
        state: All agents.
        agent: Only what this one was told; empty: any.
    """
    answered, found = set[str](), list[AgentMessage]()
    for said in reversed(state.messages):
        if said.message_type == "result":
            answered.add(said.about)
        elif said.message_type == "error" and said.about not in answered:
            found.append(said)
    return tuple(one for one in reversed(found) if agent in ("", one.receiver))


def suggest_next_actions(
    state: AgentContexts, agent: str = "", known_fixes: Mapping[str, str] | None = None
) -> tuple[NextAction, ...]:
    """Return what agents might do next, ranked (AM-29).

    Open errors that have a known fix come first, then other open errors, then agents whose
    dependencies have completed, then those who were given advice. Newer ones come first.

    Args:
        state: All agents.
        agent: Only what this one might do; empty: any.
        known_fixes: What mends an error, by its message or the words of its template.
    """
    actions = (*_for_errors(state, known_fixes or {}), *_for_others(state))
    chosen = (one for one in actions if agent in ("", one.agent))
    return tuple(dict.fromkeys(chosen))


def _for_errors(state: AgentContexts, fixes: Mapping[str, str]) -> list[NextAction]:
    errors = [(one, _fix(one.content, fixes)) for one in reversed(open_errors(state))]
    errors.sort(key=lambda pair: not pair[1])  # stable: newer ones first
    found = []
    for one, fix in errors:
        by = f": {fix}" if fix else ""
        why = f"{one.sender} says: {one.content}"
        found.append(NextAction(one.receiver, f"mend {one.about}{by}", why))
    return found


def _fix(message: str, fixes: Mapping[str, str]) -> str:
    if message in fixes or not fixes:
        return fixes.get(message, "")
    return fixes.get(error_template(message).words, "")


def _for_others(state: AgentContexts) -> Iterator[NextAction]:
    for name, needs in state.dependencies.items():
        outputs = get_dependency_outputs(state, name)
        if needs and len(outputs) == len(needs):
            yield NextAction(name, "begin", f"{', '.join(needs)} completed")
    for said in reversed(state.messages):
        if said.message_type == "advice":
            yield NextAction(said.receiver, "follow advice", f"{said.sender}: {said.content}")
