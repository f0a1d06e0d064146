"""`knockout`: what each edit of a finished run's champion is worth, measured anew."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import JsonOption, RunArgument
from se_agent.cli.drive import INTERRUPTED
from se_agent.cli.level import doubts
from se_agent.cli.progress import Progress
from se_agent.cli.run_path import run_folder
from se_agent.cli.screen import Screen
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.engine.run.knock_outs import KnockOuts
    from se_agent.values.knock_out import KnockOutTable

BlocksOption = Annotated[
    int | None,
    typer.Option(metavar="N", min=2, help="Blocks a comparison; by default as the run has."),
]
_SeedOption = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Draw inputs by this seed; with another, anew."),
]


def knockout(
    run: RunArgument,
    blocks: BlocksOption = None,
    seed: _SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Leave out each edit of a champion in turn, and measure what it was worth.

    The results are in knockouts.json of the run's folder; a second start continues there.
    """
    from se_agent.engine.run.knock_outs import KnockOuts
    from se_agent.report.words.knock_outs import row

    folder, screen = run_folder(run), Screen(as_json=as_json)
    known = KnockOuts(folder, blocks=blocks)
    screen.warn(doubts(known.resolved.config.sandbox))
    if not known.edits:
        screen.say("the run ended with its initial program: there is no edit to leave out")
        if as_json:
            screen.answer(row(known.table(seed)))
        return
    table = known.table(seed)
    screen.say(_plan(known, table))
    try:
        table = _measured(known, table, screen)
    except KeyboardInterrupt:
        screen.offer(
            "interrupted; what was measured is kept. Go on with", command("knockout", folder)
        )
        raise typer.Exit(INTERRUPTED) from None
    _tell(table, screen, timed=known.resolved.problem.timed)


def _plan(known: KnockOuts, table: KnockOutTable) -> str:
    """Say what is going to be measured."""
    edits, left = counted(table.edits, "edit"), table.edits - len(table.rows)
    done = "" if left == table.edits else f", {left} to measure"
    how = f", {counted(table.blocks, 'block')} each" if known.resolved.problem.timed else ""
    return f"{table.solution} has {edits}{done}{how}; inputs are drawn by seed {table.seed}"


def _measured(known: KnockOuts, table: KnockOutTable, screen: Screen) -> KnockOutTable:
    from se_agent.engine.judging.redacting import clean_errors, redacting
    from se_agent.engine.run.resolve import redactor_of, registered_evaluator
    from se_agent.report.words.knock_outs import line

    problem, config = known.resolved.problem, known.resolved.config
    redact, timed = redactor_of(problem, config), problem.timed
    if len(table.rows) == table.edits:
        return table
    with (
        clean_errors(redact),
        closing(registered_evaluator(problem, config)) as evaluator,
        Progress(screen) as progress,
    ):
        for found in known.measured(redacting(evaluator, redact), table):
            told = line(found.rows[-1], timed=timed)
            progress.step(f"{len(found.rows)} of {found.edits}: {told}")
            table = found
    return table


def _tell(table: KnockOutTable, screen: Screen, *, timed: bool) -> None:
    from se_agent.report.words.knock_outs import columns, row, summary

    screen.show([columns(table, timed=timed)])
    for said in summary(table):
        screen.say(said)
    if screen.as_json:
        screen.answer(row(table))
