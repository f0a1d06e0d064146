"""Test-run memory: each evaluation that failed, whole, parsed and analysed (AM-08, AM-30).

The raw output is what the journal keeps of it, and the name of the artifact that has the rest
(X-43). Not here: when rows are written (`promotion`), and who shows a guide pack.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from se_agent.chat.escaping import shortened_text
from se_agent.memory.experience.slot_records import SlotRecord
from se_agent.program.error_template import error_template
from se_agent.redaction.patterns import free_of_secrets, json_free_of_secrets
from se_agent.store.database import Database
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.session import NOTHING_AGREED, SessionMemory
from se_agent.wire.spelling import encodable

TYPE = "complete_unit_test"
"""What a row says that it is (AM-46)."""

GUIDE = 2400
"""Characters that a guide pack has in a prompt: some 600 tokens."""

_WHOLE, _LONG = 8000, 300  # characters of a column, and of a line of a guide
_LIKE = 3  # earlier failures that a guide counts as the same
_TEST_FILE = re.compile(r"[\w./-]*test[\w-]*\.(?:py|c|cc|cpp)\b")
_ALL = """SELECT run, slot, attempt, solution, success, raw, parsed, analysis, failures_count,
    errors_count, test_files_count, timestamp FROM test_runs ORDER BY run, slot, attempt"""
_PUT = "INSERT OR REPLACE INTO test_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_WHERE = "its test runs"

_ADVICE = {
    Status.WA: "Compare what is expected with what is got for the first failing input, and "
    "find the first step at which the program does otherwise.",
    Status.TLE: "Look for a loop that does not end, or for work that grows with the square of "
    "the input.",
    Status.MLE: "Keep less at a time: do not hold all intermediate results.",
    Status.RE: "Find the line that raises, and what its values are for the failing input.",
    Status.CE: "Mend the first message of the compiler; the others may follow from it.",
    Status.REJECTED: "Leave out what the sandbox forbids: compute with what is given.",
}


@dataclass(frozen=True, kw_only=True)
class TestRun:
    """One evaluation that failed.

    Attributes:
        run: The run.
        slot: Slot of the step.
        attempt: Place among the evaluations of the slot, from 0.
        solution: Id of the program.
        success: Whether it was right.
        raw: What is kept of the output.
        parsed: Cases, status and template; see `parsed_output`.
        analysis: See `analyze_test_results`.
        failures_count: Answers that were not right.
        errors_count: Cases that ended without an answer.
        test_files_count: Files of tests that the output names.
        timestamp: When the step ended, UTC.
    """

    run: str = ""
    slot: int = 0
    attempt: int = 0
    solution: str = ""
    success: bool = False
    raw: str = ""
    parsed: Mapping[str, Any] = field(default_factory=dict)
    analysis: Mapping[str, Any] = field(default_factory=dict)
    failures_count: int = 0
    errors_count: int = 0
    test_files_count: int = 0
    timestamp: str = ""


@dataclass(frozen=True, kw_only=True)
class GuidePack:
    """What whoever mends a program may know of failures like its own (AM-31).

    Attributes:
        first_case: The first case that fails, which is always told.
        patterns: Failures of this kind, and how often they were seen.
        advice: What to do about them.
        details: The other cases that fail.
        fixes: What mended such a failure before.
        related: What earlier runs relate to it.
    """

    first_case: str
    patterns: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    related: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The pack as lines, the most important first: whoever has less room cuts the end."""
        return (
            self.first_case,
            *(f"Known fix: {one}" for one in self.fixes),
            *(f"Earlier runs: {one}" for one in self.related),
            *(f"Pattern: {one}" for one in self.patterns),
            *self.advice,
            *self.details,
        )

    def within(self, characters: int) -> str:
        """Return as many whole lines as fit; the first case is there, cut if need be."""
        kept = [shortened_text(self.first_case, characters)]
        for line in self.lines[1:]:
            if sum(len(one) + 1 for one in kept) + len(line) > characters:
                break
            kept.append(line)
        return "\n".join(kept)


class TestRunLog:
    """The failing evaluations of all runs."""

    def __init__(self, db: Database, *, secrets: Iterable[str] = ()) -> None:
        """Use an open `memory.db`.

        Args:
            db: A database of the kind `schema.KIND`.
            secrets: Known ones; nothing that is written holds any of them.
        """
        self._db = db
        self._secrets = tuple(secrets)

    def put(self, rows: Iterable[TestRun]) -> None:
        """Write test runs; one that is there already is written anew.

        Raises:
            MemoryFileError: They cannot be written.
        """
        self._db.execute_each(_PUT, (self._values(row) for row in rows))

    def rows(self) -> Iterator[TestRun]:
        """Return all test runs, by run, slot and attempt.

        Raises:
            MemoryFileError: They cannot be read.
        """
        return self._db.records(_ALL, make=_row, where=_WHERE)

    def _values(self, row: TestRun) -> tuple[object, ...]:
        return (
            *(row.run, row.slot, row.attempt, row.solution, row.success),
            self._text(row.raw)[:_WHOLE],
            *(json_free_of_secrets(one, self._secrets) for one in (row.parsed, row.analysis)),
            *(row.failures_count, row.errors_count, row.test_files_count, row.timestamp),
        )

    def _text(self, text: str) -> str:
        return free_of_secrets(encodable(text).replace("\0", " "), self._secrets)


def test_runs_of(record: SlotRecord, run: str) -> Iterator[TestRun]:
    """Yield the failing evaluations of a slot. Pure.

    Args:
        record: The slot.
        run: Name of the run.
    """
    learned = record.learned
    for attempt, (solution, found) in enumerate(record.found):
        if found.status is not Status.AC:
            at = learned.at.isoformat(timespec="seconds") if learned else ""
            yield test_run_of(found, run, record.number, attempt, solution, at)


def test_run_of(
    found: Evaluation, run: str, slot: int, attempt: int, solution: str, at: str
) -> TestRun:
    """Return the record of an evaluation: raw, parsed and analysed (AM-30)."""
    parsed = parsed_output(found)
    files = sorted({*_TEST_FILE.findall(_raw(found))})
    wrong = found.status is Status.WA
    cases = max(1, len(found.failing))
    return TestRun(
        run=run,
        slot=slot,
        attempt=attempt,
        solution=solution,
        success=found.status is Status.AC,
        raw=_raw(found),
        parsed=parsed,
        analysis=analyze_test_results(parsed, success=found.status is Status.AC),
        failures_count=cases if wrong else 0,
        errors_count=0 if wrong or found.status is Status.AC else cases,
        test_files_count=len(files),
        timestamp=at,
    )


def parsed_output(found: Evaluation) -> dict[str, Any]:
    """Return what an evaluation says, by name: status, template of the error, cases, files."""
    cases = [
        {
            "name": shortened_text(case.name, _LONG),
            "input": shortened_text(case.input, _LONG),
            "expected": shortened_text(case.expected, _LONG),
            "got": shortened_text(case.got, _LONG),
        }
        for case in found.failing
    ]
    template = error_template(found.feedback)
    return {
        "status": found.status.value,
        "template": template.words or found.status.value,
        "values": list(template.slots),
        "cases": cases,
        "artifact": found.output.digest if found.output else "",
    }


def analyze_test_results(parsed: Mapping[str, Any], *, success: bool) -> dict[str, Any]:
    """Return what follows from parsed output: its pattern, and what to do about it."""
    if success:
        return {"type": TYPE, "pattern": "", "suggestions": []}
    status = Status(parsed["status"])
    return {"type": TYPE, "pattern": parsed["template"], "suggestions": [_ADVICE[status]]}


def get_detailed_test_info_for_refactoring(
    failed: Evaluation, past: Sequence[TestRun], session: SessionMemory = NOTHING_AGREED
) -> GuidePack:
    """Return the guide pack for a failing program (AM-13, AM-31). Pure.

    Args:
        failed: How it fails.
        past: Test runs of before, of this run or of earlier ones.
        session: What the run agrees on; its verified fixes are known.
    """
    parsed = parsed_output(failed)
    template = parsed["template"]
    counts = Counter(str(one.analysis.get("pattern", "")) for one in past if not one.success)
    like = [template] if counts[template] else []
    common = [words for words, n in counts.most_common(_LIKE) if n > 1 and words != template]
    fixes = [
        one.solution
        for one in session.known_fixes
        if one.verified and error_template(one.error_pattern).words == template
    ]
    cases = [_told(case) for case in parsed["cases"]]
    first = cases[0] if cases else shortened_text(failed.feedback, _LONG) or template
    return GuidePack(
        first_case=first,
        patterns=tuple(f"{words} ({counts[words]} times)" for words in (*like, *common)),
        advice=tuple(analyze_test_results(parsed, success=False)["suggestions"]),
        details=tuple(cases[1:]),
        fixes=tuple(dict.fromkeys(fixes)),
    )


def guide_text(
    failed: Evaluation,
    others: Iterable[Evaluation],
    session: SessionMemory,
    *,
    related: Sequence[str] = (),
    characters: int = GUIDE,
) -> str:
    """Return the guide pack of a failing program as a prompt shows it.

    Args:
        failed: How it fails.
        others: How other programs of the run failed.
        session: What the run agrees on.
        related: What earlier runs relate to its error.
        characters: Room that it has; as a rule a token is four of them.
    """
    past = [test_run_of(one, "", 0, number, "", "") for number, one in enumerate(others)]
    pack = get_detailed_test_info_for_refactoring(failed, past, session)
    return replace(pack, related=tuple(related)).within(characters)


def _told(case: Mapping[str, str]) -> str:
    given = f" for {case['input']}" if case["input"] else ""
    return f"{case['name']}: expected {case['expected']}, got {case['got']}{given}"


def _raw(found: Evaluation) -> str:
    if found.output is None:
        return found.feedback
    kept = found.output
    return f"{kept.head}\n... [artifact {kept.digest[:12]}] ...\n{kept.tail}"


def _row(values: tuple[Any, ...]) -> TestRun:
    run, slot, attempt, solution, success, raw, parsed, analysis, *counts, at = values
    failures, errors, files = (int(one or 0) for one in counts)
    return TestRun(
        run=str(run),
        slot=int(slot),
        attempt=int(attempt),
        solution=str(solution or ""),
        success=bool(success),
        raw=str(raw or ""),
        parsed=dict(json.loads(parsed or "{}")),
        analysis=dict(json.loads(analysis or "{}")),
        failures_count=failures,
        errors_count=errors,
        test_files_count=files,
        timestamp=str(at or ""),
    )
