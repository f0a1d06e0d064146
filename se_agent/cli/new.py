"""`new`: a problem folder of one's own, to start from. Writes files and runs nothing."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from se_agent.cli.screen import Screen
from se_agent.cli.starter import STARTERS
from se_agent.command import command
from se_agent.errors import ConfigError


class Starter(enum.StrEnum):
    """Kinds of problems that `new` can begin."""

    FUNCTION = "function"
    STDIO = "stdio"
    SCORE = "score"


def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to be made.")],
    kind: Annotated[
        Starter, typer.Option(help="A timed function, a timed program, or a rated answer.")
    ] = Starter.FUNCTION,
) -> None:
    """Make a problem folder of your own: a small one that works, to put your program into.

    `check` and `run` take it as it is. Nothing that exists is changed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ConfigError(
                f"{folder}: not empty", hint="give a folder that is not there yet"
            )
        for name, text in STARTERS[kind].items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as err:
        raise ConfigError(
            f"{folder}: cannot be made: {err.strerror}", hint="give another folder"
        ) from err
    screen = Screen()
    shown = str(folder) if folder.is_absolute() else f"./{folder}"
    screen.say(f"{folder}: {', '.join(STARTERS[kind])}")
    screen.say("put your own program into initial.py; what to change is said in the files")
    screen.say(f"next: {command('check', shown)}")
    screen.say(f"      {command('run', f'{shown}/run.toml')}")
