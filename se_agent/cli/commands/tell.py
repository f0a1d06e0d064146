"""`tell`: enter a direction into a run, live or stopped."""

from __future__ import annotations

from typing import Annotated

import typer

from se_agent.cli.commands.run import RunArgument
from se_agent.cli.run_path import run_folder
from se_agent.cli.screen import Screen
from se_agent.wording import command


def tell(
    run: RunArgument,
    direction: Annotated[
        str, typer.Argument(metavar="DIRECTION", help='What to try, such as "use a heap".')
    ],
) -> None:
    """Suggest a direction to a run, also to one that is under way.

    Models read it in their prompts until it was tried; rules do not.
    """
    from se_agent.engine.run import user_hints

    folder, screen = run_folder(run), Screen()
    told = user_hints.tell(folder, direction)
    screen.say(f"told {folder.name}: {told}")
    if not user_hints.heard(folder):
        screen.say("this run asks no model, and nobody else reads it")
        return
    screen.say("a run that is under way takes it up with its next generation")
    screen.offer("next, if it stands still", command("resume", folder))
