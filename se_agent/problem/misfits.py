"""What a problem file lacks for its kind, or has no use for. Pure.

Not here: which keys there are, and what each may hold (`schema`).
"""

from __future__ import annotations

from collections.abc import Iterator

from se_agent.errors import did_you_mean
from se_agent.problem.model import ProblemKind
from se_agent.problem.schema import ProblemFile
from se_agent.program.language import Language
from se_agent.values.objective import Objective

_NOT_FOR_COMMANDS = frozenset(
    {"entry_point", "prelude", "imports", "cases", "needs", "inputs", "check", "answer"}
)
_NOT_FOR_WORKLOADS = frozenset(
    {
        "entry_point",
        "prelude",
        "programs",
        "language",
        "reference",
        "score",
        "answer",
        "command",
    }
)
_INPUTS = "add [inputs] with sizes = [10, 100, 1000], and write generator.py"


def misfits(file: ProblemFile) -> Iterator[tuple[str, str, str]]:
    """Yield what does not fit the kind of a problem, as key, message and hint."""
    match ProblemKind(file.kind):
        case ProblemKind.COMMAND:
            yield from _foreign_to_commands(file)
        case ProblemKind.WORKLOAD:
            yield from _foreign_to_workloads(file)
        case _:
            yield from _foreign_to_programs(file)
    yield from _aimless(file)


def is_whole(file: ProblemFile) -> bool:
    """Say whether programs are run whole, on standard input."""
    return ProblemKind(file.kind) is ProblemKind.STDIO or file.language != "python"


def _foreign_to_programs(file: ProblemFile) -> Iterator[tuple[str, str, str]]:
    """Give what a kind of problem lacks, or has no use for, as key, message and hint."""
    whole, scored = is_whole(file), ProblemKind(file.kind) is ProblemKind.SCORE
    if file.workload is not None:
        yield "workload", f"a {file.kind} problem has no workload", "remove [workload]"
    foreign = "" if file.language == "python" else file.language
    if foreign and ProblemKind(file.kind) is ProblemKind.FUNCTION:
        told = 'use kind = "stdio": the program reads standard input and prints'
        yield "language", f"no function of a program in {foreign} can be called", told
    if "children" in file.needs and Language(file.language).needs:
        told = "remove it: its programs have threads and files, and no children"
        yield "needs", f"a program in {foreign} can start no other", told
    if foreign and file.imports:
        yield "imports", f"a program in {foreign} has no Python packages", "remove the key"
    if whole and file.entry_point:
        yield "entry_point", f"a {foreign or 'stdio'} program is run whole", "remove the key"
    if whole and file.prelude:
        yield "prelude", f"a {foreign or 'stdio'} program is run alone", "remove the key"
    if foreign and scored and file.inputs and file.inputs.shown:
        yield "inputs.shown", "standard input is shown as a whole", "remove the key"
    if not whole and not file.entry_point:
        told = 'add entry_point = "name of the function"'
        yield "entry_point", "this key is missing", told
    if scored and file.score is None:
        yield "score", "this section is missing", 'add [score] with direction = "minimize"'
    if file.command is not None:
        yield "command", f"a {file.kind} problem has no command", "remove [command]"
    if not scored and file.score is not None:
        yield "score", f"a {file.kind} problem has no score", "remove [score]"
    if file.answer is not None and (not scored or whole):
        told = f"a {foreign or file.kind} problem says nothing of its answers"
        yield "answer", told, "remove [answer]"
    if file.inputs is None:
        yield "inputs", "this section is missing", _INPUTS
    if file.inputs and file.inputs.valid and scored:
        yield (
            "inputs.valid",
            f"no inputs are made up for a {file.kind} problem",
            "remove the key",
        )
    if file.inputs and file.inputs.shown and not scored:
        yield "inputs.shown", "only a scorer sees more than the program", "remove the key"
    if file.check.file and file.check.tolerates:
        yield "check", "has a file and a tolerance", "keep one: the file can do both"


def _foreign_to_workloads(file: ProblemFile) -> Iterator[tuple[str, str, str]]:
    """Give what a `workload` problem lacks, or has no use for, as key, message and hint."""
    told = "remove it: [workload] says what is called, and what may change"
    for key in sorted(_NOT_FOR_WORKLOADS & file.model_fields_set):
        yield key, "a workload problem has none", told
    if file.workload is None:
        told = 'add [workload] with targets = ["shelf/books.py:Shelf.unread"]'
        yield "workload", "this section is missing", told
    if file.inputs is None:
        yield "inputs", "this section is missing", _INPUTS
    elif file.inputs.shown:
        yield "inputs.shown", "only a scorer sees more than the program", "remove the key"


def _foreign_to_commands(file: ProblemFile) -> Iterator[tuple[str, str, str]]:
    """Give what a `command` problem lacks, or has no use for, as key, message and hint."""
    if file.workload is not None:
        yield "workload", "a command problem has none", "remove [workload]"
    told = "remove it: the command is all that there is"
    for key in sorted(_NOT_FOR_COMMANDS & file.model_fields_set):
        yield key, "a command problem has none", told
    if file.command is None:
        told = 'add [command] with run = ["python3", "judge.py", "{program}"]'
        yield "command", "this section is missing", told
    if file.score is None:
        yield "score", "this section is missing", 'add [score] with direction = "minimize"'
    elif "file" in file.score.model_fields_set:
        yield "score.file", "the command rates programs", "remove the key"


def _aimless(file: ProblemFile) -> Iterator[tuple[str, str, str]]:
    """Give what is wrong with what shall become smaller, as key, message and hint."""
    given = {"objective", "weights", "reference"} & file.model_fields_set
    if given and ProblemKind(file.kind) in (ProblemKind.SCORE, ProblemKind.COMMAND):
        yield min(given), "the score is what counts", "remove the key"
    if {"objective", "weights"} <= given:
        yield "weights", "there is an objective already", "keep one of the two"
    if file.weights:
        try:
            Objective.weighted(file.weights)
        except ValueError as err:
            yield "weights", str(err), "write it like { cpu = 0.7, memory = 0.3 }"
    programs = file.programs or {"initial": ""}
    if file.reference and file.reference not in programs:
        told = did_you_mean(file.reference, programs) or "name one of [programs]"
        yield "reference", f"there is no program {file.reference!r}", told
