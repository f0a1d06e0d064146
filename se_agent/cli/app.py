"""The program: which commands there are, and how it ends.

Our errors are two lines, with those of a compiler between them, and exit code 2; bugs crash.
Commands import what they need when they are called, so that `--help` answers at once. A command
is a function in `commands` or `experiments`, and stands in the list below; a group of commands
stands in the list after it.
"""

from __future__ import annotations

import os
import shutil
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated

import typer

from se_agent.cli.commands.advise import advise
from se_agent.cli.commands.artifact import artifact
from se_agent.cli.commands.check import check
from se_agent.cli.commands.doctor import doctor
from se_agent.cli.commands.grid import grid
from se_agent.cli.commands.knockout import knockout
from se_agent.cli.commands.log import log
from se_agent.cli.commands.ls import ls
from se_agent.cli.commands.memory import memory
from se_agent.cli.commands.new import new
from se_agent.cli.commands.optimize import optimize
from se_agent.cli.commands.patch import patch
from se_agent.cli.commands.problems import operators, problems
from se_agent.cli.commands.prove import prove
from se_agent.cli.commands.report import report
from se_agent.cli.commands.rollback import rollback
from se_agent.cli.commands.run import replay, resume, run
from se_agent.cli.commands.serve import serve
from se_agent.cli.commands.show import diff, show
from se_agent.cli.commands.skill import skill
from se_agent.cli.commands.tell import tell
from se_agent.cli.commands.watch import watch
from se_agent.cli.experiments.compare import compare
from se_agent.cli.experiments.export import export
from se_agent.environment.own import secrets_apart
from se_agent.errors import SeAgentError, reason
from se_agent.wire.spelling import visible

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (
    new,
    run,
    resume,
    replay,
    rollback,
    tell,
    ls,
    show,
    diff,
    patch,
    grid,
    compare,
    export,
    report,
    watch,
    log,
    knockout,
    check,
    problems,
    operators,
    doctor,
    advise,
    prove,
    optimize,
    skill,
    serve,
):
    app.command()(command)
for group in (memory, artifact):
    app.add_typer(group)

_LABEL = 7  # columns of `error: ` and `hint:  `
_USER = 2
_FAULT = 70  # as sysexits.h has it
_Usage: type[typer.BadParameter] = typer.BadParameter.__mro__[2]  # of every misuse


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"se-agent {version('se-agent')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print it.")
    ] = False,
) -> None:
    """Make programs faster by evolving them, and prove each gain.

    Exit codes: 0 done; 2 you must act; 3 a budget ended in the first generation;
    130 interrupted and saved. `prove` has codes of its own.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and end the process with its exit code.

    Args:
        arguments: Arguments of the command line, without the program's name; None: those of the
            process. Without any it shows its help.
    """
    given = sys.argv[1:] if arguments is None else [*arguments]
    with secrets_apart():
        ended(lambda: _program()(args=given or ["--help"], standalone_mode=False))


@cache
def _program() -> Callable[..., int | None]:
    """Return all commands, made from their functions once: that takes longer than most do."""
    return typer.main.get_command(app)


def ended(command: Callable[[], int | None]) -> None:
    """Call a command and end the process as its outcome asks: errors are two lines."""
    try:
        code = command()
    except SeAgentError as err:
        _complain(str(err), err.hint, err.said)
        code = _USER
    except _Usage as err:
        # What reads an option puts the name of its exception before the words.
        _complain(err.format_message().replace("Value error, ", "", 1), _usage_hint(err))
        code = _USER
    except BrokenPipeError:
        code = 1
    except OSError as err:
        told = reason(err) if err.filename is None else f"{err.filename}: {reason(err)}"
        _complain(told, "this machine refused it; `se-agent doctor` shows what it allows")
        code = _USER
    except Exception as err:  # noqa: BLE001 - whatever it is, no exit code of a result is due
        sys.stderr.write(visible(traceback.format_exc()))
        code = _unforeseen(err)
    sys.exit(_flushed(code))


def _unforeseen(error: Exception) -> int:
    """Tell whose fault an error is that nobody expected, and return the exit code."""
    from se_agent.environment.plugin_fault import plugged_in

    name = type(error).__name__
    if place := plugged_in(error):
        told = f"{name}: a fault of what is plugged in at {place}"
        _complain(told, "mend it; a run is kept: `se-agent resume last` takes it up again")
        return _USER
    told = f"{name}: a fault of se-agent, not of your program"
    _complain(told, "report it with the lines above; a run is kept, see `se-agent ls`")
    return _FAULT


def _complain(message: str, hint: str, said: str = "") -> None:
    from se_agent.report.terminal.wrapping import wrapped
    from se_agent.report.words.phrases import clean

    colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    label = "\x1b[31merror:\x1b[0m" if colour else "error:"
    room = shutil.get_terminal_size().columns if sys.stderr.isatty() else 0

    def fit(text: str) -> list[str]:
        """Return the lines of a text to the right of its label; one where nobody looks."""
        return wrapped(text, max(room - _LABEL, 1)) if room else text.split("\n")

    shown = [("error: ", _flat(message)), ("", clean(said)), ("hint:  ", _flat(hint))]
    lines = [
        f"{'' if place else head:<{_LABEL}}{line}".rstrip()
        for head, text in shown
        if text or head == "error: "
        for place, line in enumerate(fit(text))
    ]
    lines[0] = lines[0].replace("error:", label, 1)
    sys.stderr.write("\n".join(lines) + "\n")


def _flat(text: str) -> str:
    from se_agent.report.words.phrases import one_line

    return one_line(text, 2000)


def _usage_hint(err: object) -> str:
    context = getattr(err, "ctx", None)
    return f"see `{context.command_path} --help`" if context else "see `se-agent --help`"


def _flushed(code: int | None) -> int:
    """Write out what is left; nobody may be reading any more."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as err:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _complain(f"standard output: {reason(err)}", "make room, or write elsewhere")
        return _USER
    return code or 0
