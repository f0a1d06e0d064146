"""`rollback`: give an interrupted run the directions of an earlier version again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import RunArgument
from se_agent.cli.run_path import run_folder
from se_agent.cli.screen import Screen
from se_agent.errors import ConfigError
from se_agent.wording import command

if TYPE_CHECKING:
    from se_agent.engine.run.rollback import Version
    from se_agent.report.terminal.columns import Columns


def rollback(
    run: RunArgument,
    version: Annotated[
        int | None,
        typer.Argument(metavar="[VERSION]", help="Number; without it all versions are listed."),
    ] = None,
    session: Annotated[
        int | None,
        typer.Option(metavar="VERSION", help="Go back to a version of session memory."),
    ] = None,
) -> None:
    """Go back to earlier directions of a run, or list all versions."""
    from se_agent.engine.journal.journal import Journal
    from se_agent.engine.run.rollback import history, roll_back

    folder, screen = run_folder(run), Screen()
    if session is not None:
        _of_session(folder, version, session, screen)
        return
    if version is None:
        with Journal(folder / "run.db", write=False) as journal:
            known = history(folder, list(journal.events())).versions
        screen.show([table(known)] if known else [])
        screen.say(_last(known))
        return
    done = roll_back(folder, version)
    screen.say(f"rolled back to version {version}: {in_words(done.version)}")
    screen.say(f"that is version {done.version.number} now; all others stay")
    if done.generation:
        screen.say(
            f"generation {done.generation} is open and goes on with what it began with;"
            " the next one sees these directions"
        )
    screen.offer("next", command("resume", folder))


def _of_session(folder: Path, version: int | None, session: int, screen: Screen) -> None:
    from se_agent.engine.run.session_rollback import roll_back_session

    if version is not None:
        what = "a version of directions and one of session memory are two rollbacks"
        raise ConfigError(what, hint="go back to one, then to the other")
    found = roll_back_session(folder, session)
    screen.say(f"session memory is that of version {session} again ({found.why})")
    screen.say("directions stay; slots that are open go on with what they began with")
    screen.offer("next", command("resume", folder))


def table(known: Sequence[Version]) -> Columns:
    """Return versions as a table, oldest first."""
    from se_agent.report.terminal.columns import Columns

    made = Columns(("version", "from", "recommended", "tabu", "no proven effect"))
    for one in known:
        made.add(str(one.number), origin(one), *map(str, _counts(one)))
    return made


def origin(version: Version) -> str:
    """Say what made a version."""
    if version.told:
        return "a person"
    if version.recalled:
        return "earlier runs"
    return version.step if version.restored is None else f"back to {version.restored}"


def in_words(version: Version) -> str:
    """Say how many directions of a version fared how."""
    recommended, tabu, neutral = _counts(version)
    return f"{recommended} recommended, {tabu} tabu, {neutral} without a proven effect"


def _counts(version: Version) -> tuple[int, int, int]:
    from se_agent.values.lesson import Outcome

    count = version.count
    return count(Outcome.SUCCESS), count(Outcome.FAILED), count(Outcome.NEUTRAL)


def _last(known: Sequence[Version]) -> str:
    if not known:
        return "this run has no directions"
    each = "`se-agent show RUN --directions VERSION` has each in full"
    return f"version {known[-1].number} holds; {each}"
