"""`doctor`: what this machine offers, tried out, and what it costs to be without."""

from __future__ import annotations

import itertools
import os
import platform
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import SetOption
from se_agent.cli.doctor_row import DoctorRow
from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.errors import ConfigError
from se_agent.wording import counted

if TYPE_CHECKING:
    from evaluators.sandbox.server.probe import Isolation
    from se_agent.report.terminal.columns import Columns

_USER = 2
_JAIL = "isolation jail"
_ONLY = "a run file is of use with --model only"
_TICKS = 200
_COARSE = 1e-5  # seconds; a clock coarser than this shows in a measurement of 20 ms
_PACKAGES = (
    "se-agent",
    "libcst",
    "numpy",
    "openai",
    "pydantic",
    "rich",
    "scipy",
    "tiktoken",
    "typer",
)


def doctor(
    target: Annotated[
        str, typer.Argument(metavar="RUNFILE", help="Run file, for --model.")
    ] = "",
    model: Annotated[
        bool,
        typer.Option("--model", help="Ask each model of the run file, in two calls."),
    ] = False,
    set_: SetOption = None,
    noise: Annotated[
        bool, typer.Option("--noise", help="Compare identical programs, for a few minutes.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON line; all else goes to stderr.")
    ] = False,
) -> None:
    """Try out what this machine offers for runs, or whether models answer.

    Exit code 2 if the default isolation does not work here, or a model does not answer.
    """
    screen = Screen(as_json=as_json)
    if model:
        raise typer.Exit(_models(screen, target, set_ or ()))
    if target or set_:
        raise ConfigError(_ONLY, hint="add --model")
    if noise:
        from se_agent.cli.commands.noise import noise as measured

        measured(screen)
        return
    from evaluators.sandbox.server.probe import probe

    isolation = probe()
    found = [*findings(isolation)]
    screen.show([_table(found)])
    screen.answer([asdict(row) for row in found])
    if why := refused(isolation, found):
        screen.say(f"isolation `jail` cannot be had here: {why}")
        screen.say("run trusted programs only, with `--set sandbox.isolation=none`")
        raise typer.Exit(_USER)
    screen.say("isolation `jail` works here")


def _models(screen: Screen, target: str, overrides: Sequence[str]) -> int:
    from se_agent.cli.commands.model_trial import chosen, trials

    found = [*trials(chosen(target, overrides))]
    screen.show([_table(found)])
    screen.answer([asdict(row) for row in found])
    return 0 if all(row.ok or not row.needed for row in found) else _USER


def findings(isolation: Isolation) -> Iterator[DoctorRow]:
    """Yield what was found, the isolation first."""
    from evaluators.sandbox.server.probe import leaves_no_trace

    for feature in isolation.features:
        yield DoctorRow(feature.name, feature.available, feature.detail, feature.cost)
    yield DoctorRow(
        "reading without a trace",
        leaves_no_trace(),
        "mounts that are read-only",
        "at `jail`, a run of a candidate could tell its next one something by what it reads; "
        "commands and tests have no locks or queues between their processes",
    )
    tried_out = [*levels()]
    yield from tried_out
    yield _clock()
    yield from objectives()
    yield _processors(len(os.sched_getaffinity(0)))
    yield _tokeniser()
    yield _tuners()
    yield _results(RESULTS)
    yield _memory(RESULTS)
    yield from languages("none" if refused(isolation, tried_out) else "jail")
    yield DoctorRow("Python", True, f"{platform.python_version()} on {platform.platform()}")
    yield DoctorRow("packages", True, ", ".join(_versions(_PACKAGES)))


def levels() -> Iterator[DoctorRow]:
    """Yield a row for each level of isolation, tried out by a program that it runs.

    `none` is only named: there is nothing to try.
    """
    from evaluators.sandbox.isolation.levels import LEVELS, NONE
    from evaluators.sandbox.server.probe import tried

    for name, level in LEVELS.items():
        if level is not NONE:
            why = tried(name)
            yield DoctorRow(f"isolation {name}", not why, why or level.gives, level.cost)
    yield DoctorRow(
        f"isolation {NONE.name}", True, f"{NONE.gives}, isolates nothing: by name only"
    )


def refused(isolation: Isolation, rows: Iterable[DoctorRow]) -> str:
    """Return what keeps this machine from the default isolation, or nothing.

    What a kernel has, a host may still refuse: only a program that ran there shows it.

    Args:
        isolation: What the kernel has.
        rows: Those of the levels among them.
    """
    if isolation.missing:
        return f"no {', '.join(feature.name for feature in isolation.missing)}"
    return next((row.detail for row in rows if row.name == _JAIL and not row.ok), "")


def languages(level: str) -> Iterator[DoctorRow]:
    """Yield a row for each language besides Python, tried out with compilers at this level."""
    from evaluators.languages.table import TABLE
    from evaluators.languages.tool import installed
    from evaluators.languages.trial import tried_out

    for language, row in TABLE.items():
        if not row.tools:
            continue
        found = installed(language)
        name, cost = f"programs in {language}", f"no problem in {language} can be run"
        if found is None:
            yield DoctorRow(name, False, f"no {' or '.join(row.tools)}", cost)
        elif found.trouble:
            yield DoctorRow(
                name, False, f"{found.path}: {' '.join(found.trouble.split())}", cost
            )
        else:
            why = tried_out(language, level)
            yield DoctorRow(name, not why, f"{found.version}{why and f': {why}'}", cost)


def objectives() -> Iterator[DoctorRow]:
    """Yield a row for each objective, and what keeps this machine from measuring it."""
    from evaluators.measure.means import means

    for found in means():
        name = f"objective {found.quantity}"
        yield DoctorRow(name, found.available, found.detail, found.hint or "it is refused here")


def _clock() -> DoctorRow:
    step = _resolution()
    return DoctorRow(
        "CPU clock resolution",
        step <= _COARSE,
        f"{1e9 * step:.0f} ns",
        "short programs are timed badly; larger inputs help",
    )


def _resolution() -> float:
    """Return the smallest step of the process clock that was seen, in seconds."""
    seen = [time.process_time_ns() for _ in range(_TICKS)]
    steps = [b - a for a, b in itertools.pairwise(seen) if b > a]
    return min(steps, default=10**9) / 1e9


def _processors(count: int) -> DoctorRow:
    return DoctorRow(
        "processors",
        count > 1,
        f"{count} to use",
        "all shares one core: runs take longer and are less steady",
    )


def _tokeniser() -> DoctorRow:
    from se_agent.memory import ESTIMATOR, counter

    name = counter().name
    return DoctorRow(
        "tokeniser",
        name != ESTIMATOR,
        f"{name}; an estimate where no model reads the memory",
        "tokens are estimated, rather too many; install the extra `tokens`",
    )


def _tuners() -> DoctorRow:
    from importlib.util import find_spec

    missing = [name for name in ("optuna", "cmaes") if find_spec(name) is None]
    return DoctorRow(
        "tuners",
        not missing,
        f"no {' and '.join(missing)} here" if missing else "learn from what they tried",
        "constants marked for tuning are drawn at random; install the extra `tune`",
    )


def _results(folder: Path) -> DoctorRow:
    place = folder if folder.is_dir() else Path()
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"x" * 65536)
    except OSError as err:
        what = f"{place.resolve()}: {err.strerror}"
        return DoctorRow("results folder", False, what, "runs need --set results=FOLDER")
    return DoctorRow("results folder", True, f"{place.resolve()} can be written")


def _memory(folder: Path) -> DoctorRow:
    from se_agent.errors import MemoryFileError
    from se_agent.memory import MEMORY_FILE, read_memory

    path, cost = folder / MEMORY_FILE, "runs know nothing of earlier ones"
    try:
        known = read_memory(path)
    except MemoryFileError as err:
        return DoctorRow("memory of earlier runs", False, f"{err}; {err.hint}", cost)
    told = f"{path.resolve()}: {counted(known.runs, 'run')}"
    return DoctorRow("memory of earlier runs", True, told)


def _versions(packages: Sequence[str]) -> Iterator[str]:
    from importlib.metadata import PackageNotFoundError, version

    for name in packages:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} missing"


def _table(rows: Sequence[DoctorRow]) -> Columns:
    from rich.text import Text

    from se_agent.report.terminal.columns import Columns
    from se_agent.report.words.phrases import clean

    table = Columns(("", "what", "found, and what it costs to be without"))
    for row in rows:
        mark = Text("ok", style="green") if row.ok else Text("warn", style="yellow")
        cost = "" if row.ok or not row.cost else f"; {row.cost}"
        table.add(mark, row.name, clean(f"{row.detail}{cost}"))
    return table
