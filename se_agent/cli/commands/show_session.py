"""`show --session`: what all roles of a run agree on, as prompts would show it, or as JSON."""

from __future__ import annotations

from pathlib import Path

from se_agent.cli.screen import Screen
from se_agent.wording import command, counted


def session_memory(folder: Path, screen: Screen, *, as_json: bool) -> None:
    """Show the session memory of a run, in the form of its seed.

    Raises:
        JournalError: There is no such run, or its folder is incomplete.
    """
    from se_agent.engine.journal.journal import Journal
    from se_agent.engine.run.session_rollback import session_versions
    from se_agent.memory import format_session_memory_for_prompt, headings_of, seed_form
    from se_agent.memory_events import Surveyed
    from se_agent.report.words.phrases import clean

    with Journal(folder / "run.db", write=False) as journal:
        events = list(journal.events())
    versions = session_versions(folder, events)
    packs = (event.pack for event in events if isinstance(event, Surveyed))
    memory = versions[-1].memory
    if as_json:
        screen.answer(seed_form(memory))
        return
    headings = headings_of(next(packs, ""))
    for line in format_session_memory_for_prompt(memory, headings=headings).splitlines():
        screen.quote(clean(line))
    if memory.empty:
        screen.say("nothing is agreed on in this run")
    older = len(versions) - 1
    if older:
        back = command("rollback", folder)
        screen.say(f"{counted(older, 'version')}; `{back} --session N` goes back to version N")
