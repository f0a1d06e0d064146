"""`tell`: enter a direction or a constraint into a run, live or stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from se_agent.cli.commands.run import RunArgument
from se_agent.cli.run_path import run_folder
from se_agent.cli.screen import Screen
from se_agent.errors import ConfigError
from se_agent.wording import command


def tell(
    run: RunArgument,
    direction: Annotated[
        str,
        typer.Argument(metavar="[DIRECTION]", help='What to try, such as "use a heap".'),
    ] = "",
    constraint: Annotated[
        str,
        typer.Option(
            metavar="WORDS", help='What a right program keeps to: "keep equal items in order".'
        ),
    ] = "",
) -> None:
    """Suggest a direction to a run, or tell it a constraint, also while it is under way.

    Models read a direction in their prompts until it was tried, and a constraint as long as it
    holds; rules do not.
    """
    from se_agent.engine.run import user_hints

    if bool(direction) == bool(constraint):
        what = "a direction or a constraint is told, one at a time"
        hint = 'se-agent tell RUN "use a heap", or se-agent tell RUN --constraint "..."'
        raise ConfigError(what, hint=hint)
    folder, screen = run_folder(run), Screen()
    if constraint:
        _tell_constraint(folder, constraint, screen)
    else:
        screen.say(f"told {folder.name}: {user_hints.tell(folder, direction)}")
    if not user_hints.heard(folder):
        screen.say("this run asks no model, and nobody else reads it")
        return
    screen.say("a run that is under way takes it up with its next generation")
    screen.offer("next, if it stands still", command("resume", folder))


def _tell_constraint(folder: Path, constraint: str, screen: Screen) -> None:
    from se_agent.engine.journal.folder import configuration_of
    from se_agent.engine.run import user_hints

    denied = user_hints.denied_by(folder, constraint)
    told = user_hints.tell(folder, constraint, constraint=True)
    screen.say(f"told {folder.name}, as a constraint: {told}")
    if denied:
        screen.say(f"it denies what was told before, which holds no more: {denied}")
    if not configuration_of(folder).memory.session.shown:
        screen.say("prompts of this run do not show it: memory.session.shown is false")
