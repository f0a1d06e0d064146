"""Knock-outs: what each edit of a finished run's champion is worth, measured anew.

An edit is left out, all others stay, and both programs are compared on final inputs that are
drawn for this. What memory believes of edits comes from comparisons that the search happened to
make; this is the experiment that such beliefs can be held against. The run's journal is read
and never written. Not here: how edits are dropped from a winner (`engine.step.minimise`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from se_agent.abilities.evaluator import Drawing
from se_agent.config.changes import left_out
from se_agent.engine.journal.folder import JOURNAL, stored
from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.comparison import contest
from se_agent.engine.judging.evaluator_pool import tested
from se_agent.engine.judging.terms import final_rule_of
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.engine.state.extension import later_settings
from se_agent.engine.step.hunks import hunks
from se_agent.engine.step.winner import Winner
from se_agent.errors import JournalError, reason
from se_agent.files.run_files import content, write_whole
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import InputSet, Status
from se_agent.values.knock_out import KnockOut, KnockOutOutcome, KnockOutTable
from se_agent.values.randomness import fresh_seed
from se_agent.values.solution import Edit, Solution
from se_agent.wording import command

FILE = "knockouts.json"
"""Name, in the run's folder, of what was measured."""

_TABLE = TypeAdapter(KnockOutTable)


class KnockOuts:
    """Measures the knock-outs of a run that has ended.

    Args:
        folder: Folder of the run.
        blocks: Blocks of each comparison; None: as many as its confirmation had.

    Raises:
        JournalError: There is no such run, it has no confirmed program, or is damaged.
    """

    def __init__(self, folder: Path, *, blocks: int | None = None) -> None:
        self._folder = folder
        with Journal(folder / JOURNAL, write=False) as journal:
            started, config, problem = stored(folder, journal.events())
            config = left_out(config, later_settings(journal.events(kinds=["resumed"])))
            resolved = ResolvedRun.of(config, problem, tokenizer=started.tokenizer)
            self._state = resolved.new_state()
            for event in journal.events():
                self._state.apply(event)
        if self._state.confirmed is None:
            raise JournalError(
                f"{folder}: the run has no confirmed program yet",
                hint=f"bring it to its end: `{command('resume', folder)}`",
            )
        self.resolved = resolved
        self.blocks = config.measure.confirm_blocks if blocks is None else blocks
        self._winner = Winner(resolved, self._state)
        self.champion = self._state.populated.members[self._state.confirmed.solution].solution
        self._genome = self._genome_of(self.champion)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits of the champion, the last one first; none: it is the initial program."""
        return tuple(dict.fromkeys(self._genome[::-1]))

    def table(self, seed: int | None) -> KnockOutTable:
        """Return what is on record, or the empty table.

        Args:
            seed: Seed of the inputs; None: that of the last time, or else a new one.

        Raises:
            JournalError: The file is damaged.
        """
        known = self._known()
        if seed is None:
            seed = fresh_seed() if known is None else known.seed
        empty = KnockOutTable(
            solution=self.champion.id,
            content=self.champion.content,
            seed=seed,
            blocks=self.blocks,
            edits=len(self.edits),
        )
        return known if known is not None and known.continues(empty) else empty

    def measured(self, evaluator: Evaluator, table: KnockOutTable) -> Iterator[KnockOutTable]:
        """Yield the table with one row more each time; each row has reached the disk by then.

        Args:
            evaluator: Measures programs of the run's problem.
            table: To begin with; its rows are not measured again.

        Raises:
            JournalError: The rows cannot be written.
            SeAgentError: The evaluator cannot measure.
        """
        if isinstance(evaluator, Drawing):
            evaluator.draw(table.seed)
        rows, credited = list(table.rows), self._credited()
        done = {row.edit for row in rows}
        for edit in self.edits:
            if edit in done:
                continue
            rows.append(self._knocked_out(evaluator, edit, credited.get(edit)))
            table = replace(table, rows=tuple(rows))
            self._keep(table)
            yield table

    def _knocked_out(
        self, evaluator: Evaluator, edit: Edit, credited: float | None
    ) -> KnockOut:
        made = partial(KnockOut, edit=edit, credited=credited)
        left = [one for one in self._genome if one != edit]
        without = self._winner.without(self.champion, left)
        if without is None:
            return made(outcome=KnockOutOutcome.BOUND)
        if without.files == self.champion.files:
            return KnockOut(
                edit=edit, outcome=KnockOutOutcome.UNSEEN, effect=0.0, low=0.0, high=0.0
            )
        status = tested(evaluator, without, self._state.tests).status
        if status is not Status.AC:
            return made(outcome=KnockOutOutcome.NEEDED, status=status)
        found = contest(
            evaluator,
            final_rule_of(
                self.resolved.config,
                evaluator.kind,
                self._state.spread or 0.0,
                blocks=self.blocks,
            ),
            without,
            self.champion,
            inputs=InputSet.FINAL,
            record=lambda _: None,
            patient=True,
        )
        if found.reference_status is not Status.AC:
            return made(outcome=KnockOutOutcome.NEEDED, status=found.reference_status)
        if found.status is not Status.AC:
            return made(outcome=KnockOutOutcome.REFUTED, status=found.status)
        low, high = found.interval
        outcome = self._outcome(low, high)
        return made(outcome=outcome, effect=found.effect, low=low, high=high)

    def _outcome(self, low: float, high: float) -> KnockOutOutcome:
        """Say what an interval proves; the margin is that of the run, for gain and harm."""
        margin = math.log1p(self.resolved.config.judge.margin)
        if not self.resolved.problem.timed:
            margin = 0.0
        if low > margin:
            return KnockOutOutcome.GAIN
        return KnockOutOutcome.HARM if high < -margin else KnockOutOutcome.UNSEEN

    def _genome_of(self, champion: Solution) -> Sequence[Edit]:
        """Return edits that make the champion; its runs of lines where its own do not."""
        genome = self._winner.genome(champion)
        again = self._winner.without(champion, genome) if genome else None
        if again is not None and again.files == champion.files:
            return genome
        return hunks(self._state.populated.initial.solution.files, champion.files)

    def _credited(self) -> Mapping[Edit, float]:
        """Return what memory believes that edits save, where a right program told it."""
        seen = self._state.seen
        believed = seen.advice().believed if seen else None
        if believed is None:
            return {}
        return {edit: known.gain for edit, known in believed().items() if known.measured}

    def _known(self) -> KnockOutTable | None:
        path = self._folder / FILE
        try:
            return _TABLE.validate_json(content(path))
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as err:
            raise JournalError(
                f"{path}: cannot be read: {reason(err)}",
                hint="move it away; the knock-outs are measured anew",
            ) from err

    def _keep(self, table: KnockOutTable) -> None:
        path = self._folder / FILE
        try:
            write_whole(path, _TABLE.dump_json(table, indent=1))
        except OSError as err:
            raise JournalError(
                f"{path}: cannot be written: {err.strerror}",
                hint="make room, or see who owns the folder, and start again",
            ) from err
