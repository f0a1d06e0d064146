"""`show` and `diff`: read a run, finished or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.rollback import in_words, origin
from se_agent.cli.commands.run import JsonOption, RunArgument
from se_agent.cli.commands.show_agents import show_agents
from se_agent.cli.commands.show_calls import listed, whole
from se_agent.cli.commands.show_session import session_memory
from se_agent.cli.json_row import read
from se_agent.cli.json_run import told_of
from se_agent.cli.long_wait import tell_long_wait
from se_agent.cli.naming import BEST, INITIAL, named
from se_agent.cli.run_path import run_folder
from se_agent.cli.screen import Screen
from se_agent.cli.untried import more_time
from se_agent.errors import ConfigError, JournalError, SeAgentError
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.engine.run.rollback import History, Version
    from se_agent.report.story import Story
    from se_agent.values.lesson import Item
    from se_agent.values.solution import Edit, Solution

_ID = "Solution id, such as Gen3_Sol_4 or g3s4; or initial, or best."
_LAST = 5  # versions of the directions that a page has room for


def show(
    run: RunArgument,
    solution: Annotated[str, typer.Argument(metavar="[SOLUTION]", help=_ID)] = "",
    search: Annotated[
        str, typer.Option(metavar="WORDS", help="Search all lessons ever, evicted ones too.")
    ] = "",
    directions: Annotated[
        int | None,
        typer.Option(metavar="VERSION", help="Show the directions of a version."),
    ] = None,
    calls: Annotated[
        bool,
        typer.Option("--calls", help="Show what models were asked, and what they said."),
    ] = False,
    session: Annotated[
        bool, typer.Option("--session", help="Show what all roles of the run agree on.")
    ] = False,
    agents: Annotated[
        bool, typer.Option("--agents", help="Show what each role is doing, and its messages.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Show all that is known of the run, not a page.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a run at any time, or one of its solutions."""
    from se_agent.report.terminal import page

    apart = {"--session": session, "--agents": agents}
    _require_one(search, directions, solution, calls, apart, every=every, as_json=as_json)
    folder, screen = run_folder(run), Screen(as_json=as_json)
    if session or agents:
        (session_memory if session else show_agents)(folder, screen, as_json=as_json)
        return
    tell_long_wait([folder])
    result, story = read(folder, screen.say)
    if as_json:
        screen.answer(told_of(result, story, solution))
    elif search:
        found = _lessons(folder, search)
        screen.show(page.lessons(found))
        none = f"no lesson holds any of {search!r}"
        screen.say(counted(len(found), "lesson") if found else none)
    elif directions is not None:
        _directions(folder, directions, screen)
    elif calls:
        told = whole(folder, story, solution) if solution else listed(folder)
        for line in told:
            screen.quote(line)
    elif solution:
        screen.show(page.solution_page(story, named(story, solution)))
    else:
        _run(folder, story, screen, every=every)
        more_time(folder, story, screen)


def _require_one(
    search: str,
    directions: int | None,
    solution: str,
    calls: bool,
    apart: Mapping[str, bool],
    *,
    every: bool,
    as_json: bool,
) -> None:
    """Refuse two ways to show a run at once."""
    if bool(search) + (directions is not None) + calls + sum(apart.values()) > 1:
        names = ", ".join(("--search", "--directions", *apart))
        what = f"{names} and --calls show one thing each"
        raise ConfigError(what, hint="give one of them")
    for name in (name for name, is_given in apart.items() if is_given):
        if solution or every:
            what = f"{name} shows one thing, and the other option something else"
            raise ConfigError(what, hint="give one of them")
    part = bool(search) or directions is not None or calls
    if (every and (part or solution)) or (as_json and (part or every)):
        what = f"{'--json' if as_json else '--all'} shows the run"
        raise ConfigError(f"{what}, and the other option a part of it", hint="give one of them")


def _run(folder: Path, story: Story, screen: Screen, *, every: bool) -> None:
    from se_agent.report.brief import brief
    from se_agent.report.terminal import page

    lost = story.ended is None and not _resumable(folder)
    if every:
        memory = _memory(folder)
        screen.show(page.run_page(story, folder, memory, plain=screen.plain, lost=lost))
    else:
        screen.show(brief(story, folder, plain=screen.plain, lost=lost))


def diff(
    run: RunArgument,
    a: Annotated[str, typer.Argument(metavar="[A]", help=_ID)] = INITIAL,
    b: Annotated[str, typer.Argument(metavar="[B]", help=_ID)] = BEST,
) -> None:
    """Show the unified diff from initial to best, or of any two."""
    from se_agent.report.difference import coloured, unified
    from se_agent.report.steps import edit_line

    screen = Screen()
    _, story = read(run_folder(run), screen.say)
    old, new = named(story, a), named(story, b)
    lines = unified(old, new)
    for sign, edits in (("-", _only(old, new)), ("+", _only(new, old))):
        for edit in edits:
            screen.say(f"# {sign} {edit_line(edit)}")
    screen.show([coloured(lines)] if lines else [])
    if (a, b) == (INITIAL, BEST) and old.id == new.id:
        screen.say("nothing better than the initial program is known")
    elif not lines:
        screen.say(f"{old.id} and {new.id} are the same text")


def _resumable(folder: Path) -> bool:
    """Say whether the folder has what it takes to go on with its run."""
    from se_agent.engine.journal.folder import configuration_of

    try:
        configuration_of(folder)
    except JournalError:
        return False
    return True


def _only(one: Solution, other: Solution) -> list[Edit]:
    return [edit for edit in one.edits if edit not in other.edits]


def _history(folder: Path) -> History:
    from se_agent.engine.journal.journal import Journal
    from se_agent.engine.run.rollback import history

    with Journal(folder / "run.db", write=False) as journal:
        return history(folder, list(journal.events()))


def _memory(folder: Path) -> str:
    """Return the memory as the next prompt would show it, or why it cannot be shown."""
    from se_agent.memory import render_markdown

    try:
        state, versions, _ = _history(folder)
    except JournalError as err:
        return f"(no memory: {err})"
    except SeAgentError as err:
        return f"(the memory cannot be rebuilt here: {err})"
    if state.memory is None:
        return ""
    return render_markdown(state.memory.local) + "".join(_versions(versions, folder))


def _versions(versions: Sequence[Version], folder: Path) -> Iterator[str]:
    """Yield the last versions of the directions, line by line."""
    if not versions:
        return
    yield "### Versions of the directions\n"
    for one in versions[-_LAST:]:
        yield f"- {one.number} ({origin(one)}): {in_words(one)}\n"
    if len(versions) > _LAST:
        yield f"all {len(versions)}: {command('rollback', folder)}\n"


def _directions(folder: Path, number: int, screen: Screen) -> None:
    from se_agent.engine.run.rollback import the_version
    from se_agent.memory import direction_lines
    from se_agent.report.words.phrases import clean

    found = the_version(_history(folder).versions, number)
    screen.say(f"version {number} ({origin(found)}): {in_words(found)}")
    for line in direction_lines(found.directions):
        screen.say(clean(line.rstrip("\n")))


def _lessons(folder: Path, words: str) -> list[Item]:
    from se_agent.memory import search_items

    return search_items(_history(folder).ledger.items, words)
