"""`show --agents`: who is at what, who waits for whom, and what agents told each other.

The journal says so. What they were at whenever the run stopped is in the workspace.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from se_agent.cli.screen import Screen
from se_agent.wire.spelling import visible
from se_agent.wording import counted

if TYPE_CHECKING:
    from se_agent.config.run_file import Run


def show_agents(folder: Path, screen: Screen, *, as_json: bool) -> None:
    """Show the agents of a run, its messages, and what might be done next.

    Raises:
        JournalError: There is no such run, or its folder is incomplete.
        MemoryFileError: The workspace cannot be read.
    """
    from se_agent.engine.journal.folder import configuration_of
    from se_agent.engine.journal.journal import Journal
    from se_agent.memory import agents_of, suggest_next_actions

    config = configuration_of(folder)
    with Journal(folder / "run.db", write=False) as journal:
        known = agents_of(journal.events(), config.memory.messages.dependencies).known
    actions, stops = suggest_next_actions(known), list(_stops(folder, config, known.contexts))
    if as_json:
        screen.answer(
            {
                "agents": [one._asdict() for one in known.contexts.values()],
                "messages": [one._asdict() for one in known.messages],
                "dependencies": {
                    name: list(needs) for name, needs in known.dependencies.items()
                },
                "next": [one._asdict() for one in actions],
                "stops": stops,
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
    if stops:
        screen.say(f"{counted(len(stops), 'stop')}; --json has what each agent was at then")


def _stops(
    folder: Path, config: Run, agents: Collection[str]
) -> Iterator[dict[str, dict[str, Any]]]:
    """Yield what each agent was at when the run stopped, by its name, the first stop first."""
    from se_agent.memory import Workspace, group_of, workspace_folder

    place = workspace_folder(config.memory.workspace.path, folder.parent)
    if place is None or not place.is_dir():
        return
    with Workspace.open(place, write=False) as workspace:
        states, run = workspace.states(), group_of(folder, place)
        for number in itertools.count(1):
            rows = {one: states.load_agent_state(one, run=run, number=number) for one in agents}
            if not any(rows.values()):
                return
            yield {agent: row for agent, row in rows.items() if row}


_SHOWN, _NEXT = 8, 3  # messages and actions that a page has room for
