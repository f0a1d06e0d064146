"""`new`: a problem folder of one's own, to start from. Writes files and runs nothing."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from se_agent.cli.commands.starter import starter
from se_agent.cli.screen import Screen
from se_agent.errors import ConfigError
from se_agent.files import plain
from se_agent.program.language import Language
from se_agent.wording import command


class Starter(enum.StrEnum):
    """Kinds of problems that `new` can begin."""

    FUNCTION = "function"
    STDIO = "stdio"
    SCORE = "score"
    WORKLOAD = "workload"


def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to be made.")],
    kind: Annotated[
        Starter | None,
        typer.Option(
            help="A timed function, a timed program, a rated answer, or a package that a "
            "timed workload uses.",
            show_default="function; stdio for other languages than Python",
        ),
    ] = None,
    language: Annotated[
        Language, typer.Option(help="All languages but Python have stdio problems only.")
    ] = Language.PYTHON,
) -> None:
    """Make a problem folder of your own: a small one that works, to put your program into.

    `check` and `run` take it as it is. Nothing that exists is changed.
    """
    chosen = _kind(kind, language)
    texts = starter(chosen, language)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ConfigError(
                f"{folder}: not empty", hint="give a folder that is not there yet"
            )
        for name, text in texts.items():
            (folder / name).parent.mkdir(exist_ok=True)
            plain.create(folder / name, text)
    except OSError as err:
        raise ConfigError(
            f"{folder}: cannot be made: {err.strerror}", hint="give another folder"
        ) from err
    screen, initial = Screen(), f"initial{language.suffix}"
    place = "the folder, and name it" if chosen is Starter.WORKLOAD else initial
    shown = str(folder) if folder.is_absolute() else f"./{folder}"
    screen.say(f"{folder}: {', '.join(texts)}")
    screen.say(f"put your own program into {place}; what to change is said in the files")
    screen.offer("next", command("check", shown), command("run", f"{shown}/run.toml"))


def _kind(kind: Starter | None, language: Language) -> Starter:
    """Return the kind that is meant.

    Raises:
        ConfigError: There is none of it in that language.
    """
    if language is Language.PYTHON:
        return kind or Starter.FUNCTION
    if kind not in (None, Starter.STDIO):
        raise ConfigError(
            f"--kind {kind}: no problem of a program in {language}",
            hint=f"--kind stdio --language {language}: it reads standard input and prints",
        )
    return Starter.STDIO
