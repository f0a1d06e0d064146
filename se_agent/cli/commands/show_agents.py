"""`show --agents`: who is at what, who waits for whom, and what agents told each other."""

from __future__ import annotations

from pathlib import Path

from se_agent.cli.screen import Screen
from se_agent.wire.spelling import visible


def show_agents(folder: Path, screen: Screen, *, as_json: bool) -> None:
    """Show the agents of a run, its messages, and what might be done next.

    Raises:
        JournalError: There is no such run, or its folder is incomplete.
    """
    from se_agent.engine.journal.folder import configuration_of
    from se_agent.engine.journal.journal import Journal
    from se_agent.memory import agents_of, suggest_next_actions

    section = configuration_of(folder).memory.messages
    with Journal(folder / "run.db", write=False) as journal:
        known = agents_of(journal.events(), section.dependencies).known
    actions = suggest_next_actions(known)
    if as_json:
        screen.answer(
            {
                "agents": [one._asdict() for one in known.contexts.values()],
                "messages": [one._asdict() for one in known.messages],
                "dependencies": {
                    name: list(needs) for name, needs in known.dependencies.items()
                },
                "next": [one._asdict() for one in actions],
            }
        )
        return
    if not known.contexts:
        screen.say("no agent did anything yet")
    for one in known.contexts.values():
        needs = known.dependencies.get(one.agent, ())
        waits = f", waits for {', '.join(needs)}" if needs else ""
        screen.say(visible(f"{one.agent}: {one.status}, step {one.slot}{waits}"))
        for label, text in (("task", one.task), ("output", one.output)):
            if text:
                screen.row(f"  {label}", visible(text), 9)
    for said in known.messages[-_SHOWN:]:
        screen.say(
            visible(f"{said.sender} -> {said.receiver} ({said.message_type}): {said.content}")
        )
    for action in actions[:_NEXT]:
        screen.say(visible(f"next: {action.agent}: {action.action} ({action.why})"))


_SHOWN, _NEXT = 8, 3  # messages and actions that a page has room for
