"""How a run ends: its best program is saved and shown, and written where that was asked for.

What `optimize` was asked for is kept in the run's folder, so that `resume` ends as the first
command would have. Not here: how a file is changed (`user_function.change`).
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.cli.json_row import read, row
from se_agent.cli.untried import more_time
from se_agent.errors import JournalError, ProblemError
from se_agent.files.run_files import write_whole
from se_agent.wire.spelling import encodable, visible
from se_agent.wording import command

UNCONFIRMED = "se_agent: not confirmed; the best program of the search so far"
"""What a best program is marked with that the run has not confirmed."""

if TYPE_CHECKING:
    from se_agent.cli.screen import Screen
    from se_agent.cli.write_back import Aim
    from se_agent.engine.journal.result import Result
    from se_agent.report.story import Story
    from se_agent.values.solution import Solution


def conclude(result: Result, screen: Screen) -> None:
    """Show what came of a run that has ended, and write what is to be written.

    Raises:
        ProblemError: The user's file was to be changed, and must not be; with `--json` the
            row was printed before.
        JournalError: What was asked for cannot be read.
    """
    from se_agent.cli.checks.related_functions import related_functions
    from se_agent.cli.write_back import aim_of
    from se_agent.report import brief
    from se_agent.report.terminal import page
    from se_agent.report.words.doubts import doubts
    from se_agent.report.words.phrases import untried

    folder = Path(result.run)
    story, aim = read(folder)[1], aim_of(folder)
    save_best(folder, story)
    if aim is None:
        screen.show(brief.summary(story, folder))
    else:
        screen.show([*page.result(story), *brief.exhausted(story)])
    more_time(folder, story, screen)
    if aim is None:
        screen.answer(row(result, doubts(story)))
        return
    try:
        written = _concluded(aim, folder, story, screen)
    except ProblemError:
        screen.answer({**row(result, doubts(story)), "written": False})
        raise
    what = "the record, without a candidate" if untried(story) else "the run"
    screen.say(f"{what}: {folder}")
    screen.offer("to look at it", command("show", folder))
    if (found := _elsewhere(aim, story)) is not None:
        told, following = found
        screen.say(told) if not following else screen.offer(told, following)
    for line in related_functions(folder, aim.called or aim.function) if aim.function else ():
        screen.say(visible(line))
    screen.answer({**row(result, doubts(story)), "written": written})


def _elsewhere(aim: Aim, story: Story) -> tuple[str, str] | None:
    """Say where else time is spent, as far as it is known, and the command that comes next."""
    from se_agent.report.words.best import champion
    from se_agent.report.words.hot_lines import elsewhere, hottest
    from se_agent.user_function.function import is_plain
    from se_agent.values.objective import CPU_TIME

    best, started = champion(story), story.started
    if not aim.function or best is None or started is None or started.objective != CPU_TIME:
        return None
    if aim.advise:
        return "what else takes the workload's time", command(*aim.advise)
    if (found := elsewhere(hottest(story, best.id), aim.function)) is None:
        return None
    name, share = found
    told = f"{share:.0%} of its CPU time is spent in {name}(), which this run leaves as it is"
    if not is_plain(aim.text, name):
        return told, ""
    return f"{told}; next", command("optimize", f"{_path(aim.path)}:{name}")


def save_best(folder: Path, story: Story) -> None:
    """Write the best program into the run folder, for people to take."""
    from se_agent.report.words.best import champion

    best = champion(story)
    if best is None:
        return
    top = best_path(folder, best)
    for name, whole in best.files.items():
        path = top if len(best.files) == 1 else top / name
        text = whole if _sure(story) else marked(whole, path.suffix)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, encodable(text).encode())
        except OSError as err:
            raise JournalError(
                f"{path}: cannot be written: {err.strerror}",
                hint="make room, or remove what is there",
            ) from err


def best_path(folder: Path, best: Solution) -> Path:
    """Return the file for the best program of a run; the folder for one of several files."""
    several = len(best.files) > 1
    return folder / ("best" if several else f"best{Path(next(iter(best.files))).suffix}")


def marked(text: str, suffix: str) -> str:
    """Return a program whose first comment says that its gain is not confirmed."""
    comment = f"{'#' if suffix == '.py' else '//'} {UNCONFIRMED}\n"
    first, newline, rest = text.partition("\n")
    if first.startswith("#!"):
        return f"{first}{newline or chr(10)}{comment}{rest}"
    return f"{comment}{text}"


def _sure(story: Story) -> bool:
    """Say whether a best program is what it is said to be: it is proven, or nothing is said."""
    from se_agent.report.words.best import champion

    best, started, found = champion(story), story.started, story.confirmed
    initial = best is None or started is None or best.id == started.initial.id
    return initial or (found is not None and found.status == "proven")


def _concluded(aim: Aim, folder: Path, story: Story, screen: Screen) -> bool:
    """Show the proven change, if there is one; return whether it is written."""
    from se_agent.report.patch_message import changed_beside
    from se_agent.report.words.best import champion
    from se_agent.user_function.change import FileState, write_all

    best, found = champion(story), story.confirmed
    if best is None or found is None or found.status != "proven":
        screen.say(f"{aim.names} {'are' if aim.more else 'is'} left as it is")
        return False
    changes = aim.changes(best)
    for change in changes:
        screen.quote(change.diff(_shown(change.path)).rstrip("\n"))
    for line in changed_beside(story, aim.called):
        screen.say(line)
    # Who was killed in between did not take note of it.
    made = all(change.state is FileState.CHANGED_SO for change in changes)
    written = aim.written or made
    if written:
        screen.say(f"it was written before: {', '.join(str(one.path) for one in changes)}")
    elif not aim.write:
        _offer_change(story, aim, folder, screen)
    elif folder.resolve() != aim.folder:
        screen.say(
            f"nothing was written: that was asked for in {aim.folder}; "
            "the diff above can be applied with `patch -p1`"
        )
    elif unnamed := _unnamed(story, aim):
        names = ",".join(dict.fromkeys(unnamed))
        again = command("resume", folder, "--accept", names)
        raise ProblemError(
            f"{aim.names} was not written, for there is a doubt about the change: {names}",
            hint=f"to write it all the same: {again}",
        )
    else:
        kept = write_all(changes)
        aim.model_copy(update={"written": True}).keep()
        for path, copy in kept.items():
            screen.say(f"written: {path}" + (f" (before: {copy.name})" if copy else ""))
        return True
    return written


def _offer_change(story: Story, aim: Aim, folder: Path, screen: Screen) -> None:
    """Say how the change is applied that nobody asked to write; no search is made again."""
    why = "nothing was written (--write does so); to apply this change"
    if unnamed := _unnamed(story, aim):
        names = ", ".join(dict.fromkeys(unnamed))
        why = f"nothing was written, and there is a doubt about the change ({names}, see above)"
        why += "; to apply it all the same"
    if aim.more:
        screen.offer(why, f"{command('patch', folder)} | git apply")
    else:
        to = shlex.join(["patch", str(_path(aim.path))])
        screen.offer(why, f"{command('diff', folder)} | {to}")


def _unnamed(story: Story, aim: Aim) -> list[str]:
    """Return the serious doubts about the best program that nobody accepted, by name."""
    from se_agent.report.words.doubts import doubts
    from se_agent.values.doubts import SERIOUS

    names = [doubt.name for doubt in doubts(story)]
    return [name for name in names if name in SERIOUS and name not in aim.accepted]


def _shown(path: Path) -> str:
    """Return how a diff names a file: by nothing above the current folder."""
    found = _path(path)
    return path.name if found.is_absolute() else str(found)


def _path(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
