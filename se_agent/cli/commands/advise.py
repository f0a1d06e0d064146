"""`advise`: the functions of a program that are worth the work, without a search."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.function_options import (
    InputOptions,
    OpenOption,
    PythonOption,
    TestsOption,
    WorkloadOption,
    with_groups,
)
from se_agent.cli.screen import Screen, say_note
from se_agent.cli.spinner import phase

if TYPE_CHECKING:
    from se_agent.cli.advice.advice_table import AdvisedFunction
    from se_agent.config.run_file import Run
    from se_agent.user_function.advisor.costs import Costs
    from se_agent.user_function.function import UserFunction
    from se_agent.user_function.module import Module

_STDOUT, _STDERR = 1, 2

SHOWN = 10
"""Functions that are told."""

_WAYS = "--workload FILE.py:FUNCTION, --tests PATH, --benchmark FILE.py or -- COMMAND"
_ALSO = 0.25  # share of its own from which on a function is made faster with the hottest one
_MUCH = 0.1  # share of the time that is told of what calls the functions
_PATIENCE = 60.0  # CPU seconds of a benchmark file, watched

CommandArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="-- COMMAND",
        help="A command that runs Python, such as `-- python -m pkg FILE`: run as you run it, "
        "outside the sandbox.",
    ),
]
BenchmarkOption = Annotated[
    str, typer.Option(metavar="FILE.py", help="A file for pyperf or pytest-benchmark.")
]
AsJsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON line.")]


@dataclass(frozen=True, kw_only=True)
class Profiled:
    """What was seen.

    Attributes:
        profiles: What functions cost, by size of the input.
        used_by: File of the workload, or file or folder of the tests: nothing to be changed.
        optimize: Words that follow `optimize TARGET`; None: it needs a workload first.
        plain_only: Whether `optimize` takes plain functions only, and no methods.
        notes: What has to be known of it.
    """

    profiles: Sequence[tuple[int | None, Costs]]
    used_by: str = ""
    optimize: tuple[str, ...] | None = None
    plain_only: bool = False
    notes: tuple[str, ...] = ()


@with_groups
def advise(
    command: CommandArgument = None,
    *,
    workload: WorkloadOption = "",
    called_on: InputOptions,
    tests: TestsOption = "",
    benchmark: BenchmarkOption = "",
    python: PythonOption = "",
    open_: OpenOption = None,
    as_json: AsJsonOption = False,
) -> None:
    """Name the functions worth the work: where time goes, how it grows, what to try.

    Nothing is searched or changed. Workloads, tests and benchmarks run in the sandbox.
    """
    from se_agent.cli.advice.advice_table import json_advice, show_advice
    from se_agent.config import run_file
    from se_agent.errors import ConfigError

    ways = {"workload": workload, "tests": tests, "benchmark": benchmark, "command": command}
    given = [name for name, way in ways.items() if way]
    if len(given) != 1:
        told = f"{' and '.join(given)} are given" if given else "there is nothing to profile"
        raise ConfigError(f"{told}: one is taken", hint=_WAYS)
    screen = Screen(as_json=as_json)
    opened = tuple(open_ or ())
    if workload:
        seen = of_workload(workload, called_on, python, opened, screen)
    elif tests:
        seen = _of_tests(tests, python, opened, screen)
    elif benchmark:
        seen = _of_benchmark(benchmark, python, opened, screen)
    else:
        seen = _of_command(command or (), screen)
    found = advised(seen, run_file.parse("advise", [], say_note))
    screen.warn(seen.notes)
    if told := _besides(seen):
        screen.say(told)
    if found:
        show_advice(screen, found)
    else:
        screen.say("no function of yours, or of a package, takes time that is worth the work")
    screen.answer({"functions": json_advice(found)})


def hottest_targets(seen: Profiled, chosen: Run) -> list[AdvisedFunction]:
    """Return the best function with something to try: one of the user's before a package's.

    Behind it come others of the same kind, where each takes much of the time itself.

    Raises:
        ProblemError: There is none.
    """
    from se_agent.errors import ProblemError
    from se_agent.user_function.advisor.costs import Owner

    worth = [one for one in advised(seen, chosen) if one.is_felt]
    found = [one for one in worth if one.optimize and (one.rules or chosen.models)]
    if not found:
        hot = "".join(f"; {one.hotspot.name} takes {one.hotspot.own:.0%}" for one in worth[:1])
        raise ProblemError(
            f"{seen.used_by}: nothing that takes its time has a change to be tried{hot}",
            hint="`se-agent advise` shows where it goes; --model NAME lets a model write",
        )
    first, *others = [one for one in found if one.hotspot.owner is Owner.PROJECT] or found
    return [first, *(one for one in others if one.hotspot.own >= _ALSO)]


def advised(seen: Profiled, chosen: Run) -> list[AdvisedFunction]:
    """Return the functions worth the work, the best first, with what could be tried.

    Args:
        seen: Where the time goes.
        chosen: Names the operators that are asked.
    """
    from se_agent.cli.advice.advice_table import AdvisedFunction, path_here
    from se_agent.cli.advice.rules_to_try import rules_to_try
    from se_agent.user_function.advisor.ranking import ranked

    texts = _Texts()
    spots = ranked(seen.profiles, used_by=seen.used_by, text_of=texts.get)[:SHOWN]
    rules = rules_to_try(spots, texts.get, chosen)
    found: list[AdvisedFunction] = []
    for spot, names in zip(spots, rules, strict=True):
        words: tuple[str, ...] = ()
        what = f"{path_here(spot.file)}:{spot.name}"
        if seen.optimize is not None and _is_taken(what, plain_only=seen.plain_only):
            words = ("optimize", what, *seen.optimize)
        found.append(AdvisedFunction(hotspot=spot, rules=names, optimize=words))
    return found


def _is_taken(what: str, *, plain_only: bool) -> bool:
    """Say whether `optimize` takes a function that is named like this."""
    from se_agent.errors import ProblemError
    from se_agent.user_function.function import find
    from se_agent.user_function.workloads.targets import find_targets

    try:
        find(what) if plain_only else find_targets([what])
    except ProblemError:
        return False
    return True


class _Texts:
    """Texts of the user's files, each read once."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}

    def get(self, file: str) -> str | None:
        """Return the text of a file; None for what cannot be read, or is no Python file."""
        from se_agent.files import plain

        if file not in self._known:
            try:
                self._known[file] = plain.content(Path(file)).decode("utf-8-sig")
            except (OSError, UnicodeDecodeError, ValueError):
                self._known[file] = None
        return self._known[file]


def profile_workload(
    function: UserFunction,
    called_on: InputOptions,
    python: str,
    opened: Sequence[str],
    isolation: str = "jail",
    *,
    patience: float | None = None,
) -> Profiled:
    """Profile a workload in the jail, in so many CPU seconds at most (as by default: None).

    Raises:
        ProblemError: It cannot be loaded, has no inputs, or answers none.
    """
    from se_agent.cli.advice.advice_table import path_here
    from se_agent.cli.jail import ForkedJail
    from se_agent.user_function.advisor.watching import PATIENCE, workload_profiles
    from se_agent.user_function.jail_calls import Caller
    from se_agent.user_function.site import access
    from se_agent.user_function.survey import Survey
    from se_agent.user_function.workloads import workload as workloads

    inputs = workloads.inputs_of(function, called_on.inputs, called_on.examples)
    reach = access([function.module, *inputs.modules], python, opened)
    with closing(ForkedJail(reach, isolation)) as jail:
        survey = Survey(Caller(jail, function, may_wait=True, access=reach), inputs)
        survey.caller.require_loaded()
        profiles = workload_profiles(survey, patience or PATIENCE)
    file = function.module.path
    words = ["--workload", f"{path_here(str(file))}:{function.function}"]
    for option, values in (
        ("--inputs", [called_on.inputs]),
        ("--example", called_on.examples),
        ("--python", [python]),
        ("--open", opened),
    ):
        words += [word for value in values if value for word in (option, value)]
    return Profiled(profiles=profiles, used_by=str(file), optimize=tuple(words))


def of_workload(
    workload: str,
    called_on: InputOptions,
    python: str,
    opened: Sequence[str],
    screen: Screen,
) -> Profiled:
    """Profile the workload that `--workload` names, and say so; see `profile_workload`."""
    from se_agent.user_function.workloads.workload import find_workload

    function = find_workload(workload)
    with phase(screen, "profiling the workload in the sandbox"):
        return profile_workload(function, called_on, python, opened)


def _of_tests(tests: str, python: str, opened: Sequence[str], screen: Screen) -> Profiled:
    from evaluators.suite.suite import Suite
    from se_agent.user_function.advisor.plugin import costs_of, plugin_text
    from se_agent.user_function.gate import gate_alone
    from se_agent.user_function.site import access

    gate = gate_alone(tests, python)
    shown = access([], opened=opened).opened
    suite = Suite(gate, opened=shown, plugin=plugin_text(gate.root))
    with phase(screen, "profiling the tests in the sandbox"):
        costs = costs_of(suite.require({}).calls, tests)
    words = ("--tests", tests, *(("--python", python) if python else ()))
    used_by = str(Path(gate.root) / gate.tests)
    return Profiled(profiles=[(None, costs)], used_by=used_by, optimize=words, plain_only=True)


def _of_benchmark(
    benchmark: str, python: str, opened: Sequence[str], screen: Screen
) -> Profiled:
    from se_agent.user_function.advisor.benchmark import Harness, harness_of
    from se_agent.user_function.module import read

    module = read(Path(benchmark))
    if harness_of(module) is Harness.PYTEST:
        return _of_tests(benchmark, python, opened, screen)
    with phase(screen, "profiling the benchmark in the sandbox"):
        costs = _pyperf(module, python, opened)
    return Profiled(profiles=[(None, costs)], used_by=str(module.path))


def _pyperf(module: Module, python: str, opened: Sequence[str]) -> Costs:
    """Return what functions cost in a file of pyperf."""
    from se_agent import wire
    from se_agent.cli.jail import ForkedJail
    from se_agent.errors import ProblemError
    from se_agent.user_function.advisor.benchmark import ENTRY_POINT, pyperf_program
    from se_agent.user_function.advisor.costs import read_costs
    from se_agent.user_function.jail_calls import PACKAGES, first_line
    from se_agent.user_function.site import access

    reach = access([module], python, opened)
    reach = replace(reach, imports=tuple(name for name in reach.imports if name != "pyperf"))
    with closing(ForkedJail(reach)) as jail:
        done = jail.call(
            pyperf_program(module), ENTRY_POINT, [wire.dumps(())], cpu_seconds=_PATIENCE
        )
    why = done.failure or done.answers[0].error
    if why:
        hint = PACKAGES if "No module named" in why else reach.hint(why)
        raise ProblemError(
            f"--benchmark {module.path}: {first_line(why)}",
            hint=hint or "it runs in the sandbox: without network, or files to write",
        )
    return read_costs(wire.loads(done.answers[0].data))


def _of_command(words: Sequence[str], screen: Screen) -> Profiled:
    from se_agent.user_function.advisor.command import python_command, run_command

    command = python_command(words)
    screen.say("your command runs as you run it, outside the sandbox, under a profiler")
    done = run_command(command, _STDERR if screen.as_json else _STDOUT)
    notes: list[str] = []
    if done.interrupted:
        notes.append("interrupted: what follows was seen until then")
    elif done.code:
        notes.append(f"your command ended with exit code {done.code}")
    return Profiled(profiles=[(None, done.costs)], notes=tuple(notes))


def _besides(seen: Profiled) -> str:
    """Return what takes a large part of the time, and is no function to be made faster."""
    from se_agent.user_function.advisor.ranking import share_of_workload

    share = share_of_workload(seen.profiles[-1][1], seen.used_by) if seen.profiles else 0.0
    if share < _MUCH:
        return ""
    return f"{share:.0%} of the CPU time is spent in lines of {Path(seen.used_by).name} itself"
