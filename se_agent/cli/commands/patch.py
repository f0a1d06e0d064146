"""`patch`: the proven change of a run as a patch with its message, or as a commit."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from se_agent.cli.commands.run import JsonOption, RunArgument
from se_agent.cli.json_row import read
from se_agent.cli.run_path import run_folder
from se_agent.cli.screen import Screen
from se_agent.errors import JournalError, ProblemError
from se_agent.wording import command

if TYPE_CHECKING:
    from se_agent.engine.journal.result import RunStatus
    from se_agent.problem.model import Problem
    from se_agent.report.story import Story
    from se_agent.user_function.change import FileChange
    from se_agent.values.solution import Edit, Solution

_BranchOption = Annotated[
    str, typer.Option(metavar="NAME", help="Commit it on a new branch of the repository.")
]
_OutputOption = Annotated[
    str, typer.Option(metavar="FILE", help="Write message and diff to a file.")
]


class _Patch(NamedTuple):
    """A change of files, as it is told.

    Attributes:
        changes: What each file was, and shall be, by its path in the diff: from the root of the
            repository.
        message: Line by line.
    """

    changes: Mapping[str, FileChange]
    message: list[str]

    @property
    def diff(self) -> str:
        """The unified diff."""
        return "".join(change.diff(name) for name, change in self.changes.items())


def patch(
    run: RunArgument,
    branch: _BranchOption = "",
    output: _OutputOption = "",
    as_json: JsonOption = False,
) -> None:
    """Print the proven change of a run as a patch for `git apply`, with its message.

    Paths start at the root of the repository. The message has the measured claim, what it rests
    on, and what else changed. --branch commits the change on a new branch, and touches neither
    your files nor what you have staged.
    """
    from se_agent.report.patch_message import style_line, style_of, warnings

    folder, screen = run_folder(run), Screen(as_json=as_json)
    result, story = read(folder, screen.say)
    made = _made(folder, story, result.status)
    style = style_of(story)
    assert style is not None
    absent = [name for name, change in made.changes.items() if not change.path.exists()]
    if branch and absent:
        raise ProblemError(
            f"{absent[0]}: there is no such file: the program stands in the problem itself",
            hint=f"take the whole program, {folder / 'best'}.*, or the diff without --branch",
        )
    commit = _committed(made, branch) if branch else ""
    if output:
        _write(Path(output), "\n".join([*made.message, "", made.diff]))
    if not (output or branch or as_json):
        for line in [*made.message, "", made.diff.rstrip("\n")]:
            screen.quote(line)
    beside = Screen(as_json=True)  # the patch has standard output for itself
    beside.say(style_line(style))
    for change in made.changes.values():
        if doubt := _doubt(change):
            beside.say(doubt)
    if absent:
        beside.say(f"{absent[0]}: there is no such file that the diff could be applied to")
    elif output:
        beside.offer(f"written: {output}; to apply it", shlex.join(["git", "apply", output]))
    if branch:
        beside.say(f"committed on the new branch {branch}: {commit}")
    screen.answer(
        {
            "run": str(folder),
            "path": next(iter(made.changes)),
            "paths": list(made.changes),
            "title": made.message[0],
            "message": "\n".join(made.message),
            "diff": made.diff,
            "style": {**style._asdict(), "points": round(style.points, 2)},
            "doubts": list(warnings(story)),
            "branch": branch,
            "commit": commit,
            "output": output,
        }
    )


def _doubt(change: FileChange) -> str:
    """Say why `git apply` may refuse the change; empty: the file is as it was."""
    from se_agent.user_function.change import FileState

    known = change.path.exists() and change.state is not FileState.AS_READ
    return f"{change.path}: {change.state}" if known else ""


def _without_gain(folder: Path, story: Story, status: RunStatus) -> JournalError:
    """Return why there is no patch of a run: it has no proven gain, or none yet."""
    from se_agent.report.words.phrases import one_line

    goes_on = f"`{command('resume', folder)}` goes on with it"
    looked = f"`{command('show', folder)}` says what it came to"
    error = one_line(story.failed.message, 300) if story.failed else ""
    told, hint = {
        "failed": (f"ended by an error, so there is no patch: {error}", goes_on),
        "interrupted": ("has not ended, so there is no patch yet", goes_on),
        "running": ("is still going on, so there is no patch yet", looked),
    }.get(status, ("has no proven gain, so there is no patch", looked))
    return JournalError(f"{folder}: the run {told}", hint=hint)


def _made(folder: Path, story: Story, status: RunStatus) -> _Patch:
    from se_agent.cli.write_back import aim_of
    from se_agent.report.patch_message import message
    from se_agent.report.words.best import winner
    from se_agent.user_function.repository.branch import repository_of

    best, found = winner(story), story.confirmed
    if best is None or found is None or found.status != "proven":
        raise _without_gain(folder, story, status)
    aim, problem = aim_of(folder), _problem(folder)
    changes = aim.changes(best) if aim else _of_program(folder, story, problem, best)
    root = (repository_of(changes[0].path) or Path()).resolve()
    told = message(
        story,
        function=aim.function if aim else problem.editable,
        called=aim.called if aim else "",
        workload=problem.workload.function if problem.workload else "",
        file=Path(problem.workload.file).name if problem.workload else "",
        tests=problem.gate.tests if problem.gate else "",
        changes=_of_operators(best, _said_of),
        conditions=_of_operators(best, lambda found, _: getattr(found, "relies_on", "")),
    )
    return _Patch({_named(one.path.resolve(), root): one for one in changes}, told)


def _named(path: Path, root: Path) -> str:
    """Return a file's path from the root of its repository; without one, from this folder."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _of_program(
    folder: Path, story: Story, problem: Problem, best: Solution
) -> tuple[FileChange, ...]:
    """Return the changes of the files that a run's initial program was read from."""
    from se_agent.user_function.change import FileChange

    assert story.started is not None
    initial = story.started.initial
    if problem.workload is None:
        return (FileChange(_program(folder, initial), initial.text, best.text),)
    found = (
        FileChange(Path(module.file), initial.files[path], best.files[path])
        for path, module in problem.workload.modules.items()
    )
    return tuple(change for change in found if change.old != change.new)


def _program(folder: Path, initial: Solution) -> Path:
    """Return the file that a run's initial program was read from, or its name."""
    from se_agent.engine.journal.folder import configuration_of

    text = initial.text
    given = Path(configuration_of(folder).problem)
    suffix = Path(next(iter(initial.files))).suffix
    places = sorted(given.glob(f"*{suffix}")) if given.is_dir() else []
    same = (each for each in places if _holds(each, text))
    return next(same, Path(next(iter(initial.files))))


def _holds(path: Path, text: str) -> bool:
    from se_agent.user_function.change import holds

    return path.is_file() and holds(path, text)


def _problem(folder: Path) -> Problem:
    """Return the problem of a run."""
    from se_agent.engine.journal.folder import JOURNAL, stored
    from se_agent.engine.journal.journal import Journal

    with Journal(folder / JOURNAL, write=False) as journal:
        _, _, problem = stored(folder, journal.events())
    return problem


def _said_of(operator: object, edit: Edit) -> str:
    """Return what an edit does, as its operator tells it."""
    from se_agent.abilities.optional import Telling

    said = operator.said_of(edit) if isinstance(operator, Telling) else ""
    return said or (operator.__doc__ or "").strip()


def _of_operators(best: Solution, told: Callable[[object, Edit], str]) -> Mapping[Edit, str]:
    """Return the first line of what the operator of each edit tells, if it tells anything."""
    from se_agent import registry
    from se_agent.errors import ConfigError, UnknownPluginError

    found: dict[Edit, str] = {}
    for edit in best.edits:
        try:
            operator = registry.load("operator", edit.rule)
        except (UnknownPluginError, ConfigError):
            continue  # ours are none: parts of a model's text, and what rewrites it for people
        found[edit] = told(operator, edit).partition("\n")[0]
    return {edit: words for edit, words in found.items() if words}


def _committed(made: _Patch, branch: str) -> str:
    from se_agent.user_function.repository.branch import commit_on_branch

    changes = tuple(made.changes.values())
    return commit_on_branch(changes, branch, "\n".join(made.message) + "\n")


def _write(path: Path, text: str) -> None:
    from se_agent.files.run_files import write_whole

    try:
        write_whole(path, text.encode())
    except OSError as err:
        raise ProblemError(
            f"{path}: cannot be written: {err.strerror}", hint="choose another place"
        ) from err
