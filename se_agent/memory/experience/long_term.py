"""What outlasts a run as it is: runs, proven solutions, refuting inputs, fixes (LF-97, LF-98).

Rows of `memory.db`, each written by its key, so that writing a run again changes nothing. Not
here: lessons (`items`), executions and test runs, which have modules of their own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from pydantic import TypeAdapter

from se_agent.redaction.patterns import free_of_secrets
from se_agent.store.database import Database
from se_agent.values.evaluation import Counterexample
from se_agent.values.solution import Edit
from se_agent.wire.spelling import encodable

_TEST = TypeAdapter(Counterexample)
_EDITS = TypeAdapter(tuple[Edit, ...])
_FILES = TypeAdapter(dict[str, str])

_PUT_RUN = """INSERT OR REPLACE INTO runs
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_RUNS = "SELECT * FROM runs ORDER BY started, run"
_SOLUTION = """id, project, function, code, success_rate, coverage, entry_content, effect, low,
    high, edits, run, initial, form"""
_SOLUTIONS = f"""SELECT {_SOLUTION}, status, COALESCE(why, '') FROM solutions
    ORDER BY effect DESC, id"""  # noqa: S608 - names of ours
_PUT_SOLUTION = f"""INSERT INTO solutions ({_SOLUTION})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET effect = excluded.effect, low = excluded.low,
    high = excluded.high, run = excluded.run, code = excluded.code, edits = excluded.edits,
    initial = excluded.initial, form = excluded.form
    WHERE excluded.effect > effect OR (initial IS NULL AND run = excluded.run)
    """  # noqa: S608 - names of ours
_SET_STATUS = "UPDATE solutions SET status = ?, why = ? WHERE id = ?"
_RATE = """UPDATE solutions SET success_rate = (SELECT AVG(status = 'proven') FROM runs
    WHERE runs.entry_content = solutions.entry_content) WHERE entry_content = ?"""
_PUT_TEST = "INSERT OR IGNORE INTO tests VALUES (?, ?, ?, ?, ?, ?)"
_PUT_REFUTATION = "INSERT OR REPLACE INTO refutations VALUES (?, ?, ?, ?, ?, ?, ?)"
_TESTS = """SELECT body FROM tests AS t LEFT JOIN refutations AS r
    USING (fingerprint, arguments, links, calls) WHERE fingerprint = ?
    GROUP BY arguments, links, calls
    ORDER BY SUM(r.programs) DESC, MAX(r.at) DESC, arguments, links, calls"""
_OF_FIX = "SUBSTR(id, 1, INSTR(id || ' ', ' ') - 1)"  # a row has its run behind that
_FIXES = f"""SELECT {_OF_FIX} AS fix, error_pattern, solution, SUM(frequency) AS times,
    language, MAX(verified) AS sure, MAX(last_run) FROM fixes WHERE last_run NOT IN
    (SELECT run FROM runs WHERE family IN (SELECT value FROM json_each(?)))
    GROUP BY fix ORDER BY sure DESC, times DESC, fix"""  # noqa: S608 - names of ours
_PUT_FIX = "INSERT OR REPLACE INTO fixes VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, kw_only=True)
class KnownRun:
    """A run, in the order of the columns of its row.

    Attributes:
        run: Its name and when it began.
        problem: Name of the problem.
        fingerprint: SHA-256 of the problem.
        family: What its runs are grouped by.
        kind: How programs are run.
        language: Language of the programs.
        entry: The function that is called.
        entry_content: Content address of the initial program.
        traits: Its traits.
        words: Words that describe it.
        status: `proven` or `not_proven`; empty: it has not ended.
        gain: Ratio of the champion; 0: unknown.
        low: Lower end of its interval.
        high: Upper end of it.
        evaluations: Programs that were evaluated.
        calls: Replies of models.
        tokens: Tokens that they took.
        seed: Seed of the run.
        code: Content address of the champion.
        trusted: Whether programs have no part in saying how good they are.
        started: When it began, UTC.
        ended: When it ended, UTC.
    """

    run: str
    problem: str = ""
    fingerprint: str = ""
    family: str = ""
    kind: str = ""
    language: str = ""
    entry: str = ""
    entry_content: str = ""
    traits: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    status: str = ""
    gain: float = 0.0
    low: float = 0.0
    high: float = 0.0
    evaluations: int = 0
    calls: int = 0
    tokens: int = 0
    seed: int = 0
    code: str = ""
    trusted: bool = True
    started: str = ""
    ended: str = ""


@dataclass(frozen=True, kw_only=True)
class KnownSolution:
    """A program that was proven better than the one that a run began with.

    Attributes:
        id: `S` and 12 hex digits of both programs' contents.
        project: Name of the problem.
        function: The function that is called.
        files: Texts of the program, by path.
        success_rate: Share of the runs from that initial program that proved a gain.
        coverage: Share of the program that was covered; 0: not measured.
        entry_content: Content address of the initial program.
        effect: ln(reference / candidate), or a difference of scores.
        low: Lower end of its interval.
        high: Upper end of it.
        edits: Changes that make it of the initial program; empty: it is a program of its own.
        run: The run that proved it, at best.
        initial: Texts of the program that it was made of, by path; empty: not known.
        form: What tells the function from others, whatever its names are; empty: not known.
        status: `active`, or `retired` where a person took it out.
        why: The reason that was given for that.
    """

    id: str
    project: str = ""
    function: str = ""
    files: Mapping[str, str]
    success_rate: float = 1.0
    coverage: float = 0.0
    entry_content: str = ""
    effect: float = 0.0
    low: float = 0.0
    high: float = 0.0
    edits: tuple[Edit, ...] = ()
    run: str = ""
    initial: Mapping[str, str] = field(default_factory=dict, repr=False)
    form: str = ""
    status: str = "active"
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class FixRow:
    """What mended an error: its template, the words of the change, and how often it did."""

    id: str
    error_pattern: str
    solution: str
    frequency: int = 1
    language: str = ""
    verified: bool = False
    last_run: str = ""


@dataclass(frozen=True, kw_only=True)
class KnownTest:
    """An input that refuted programs of a problem in a run; of equal keys the first one stays.

    Attributes:
        fingerprint: SHA-256 of the problem.
        test: The input.
        programs: How many programs of the run it refuted.
        at: When it last did, UTC.
    """

    fingerprint: str
    test: Counterexample = field(repr=False)
    programs: int = 1
    at: str = ""


class LongTerm:
    """These rows."""

    def __init__(self, db: Database, *, secrets: Iterable[str] = ()) -> None:
        """Use an open `memory.db`.

        Args:
            db: A database of the kind `schema.KIND`.
            secrets: Known ones; no text that is written holds any of them.
        """
        self._db = db
        self._secrets = tuple(secrets)

    def put_run(self, run: KnownRun) -> None:
        """Write a run, and what share of such runs proved a gain."""
        values = (getattr(run, one.name) for one in fields(run))
        row = [json.dumps(v) if isinstance(v, tuple) else v for v in values]
        self._db.execute(_PUT_RUN, row)
        self._db.execute(_RATE, (run.entry_content,))

    def put_solution(self, one: KnownSolution) -> None:
        """Write a solution; of equal programs the larger proven effect stays.

        One that holds a secret is not written: without it, it would be another program. Where
        it stands is left as it is.
        """
        files, edits = json.dumps(dict(one.files)), _EDITS.dump_json(one.edits).decode()
        texts = (*one.files.values(), *one.initial.values(), edits)
        if any(self._text(text) != text for text in texts):
            return
        head = (one.id, one.project, one.function, files, one.success_rate)
        tail = (one.coverage, one.entry_content, one.effect, one.low, one.high, edits, one.run)
        begun = (json.dumps(dict(one.initial)) if one.initial else None, one.form)
        self._db.execute(_PUT_SOLUTION, (*head, *tail, *begun))

    def set_status(self, id_: str, status: str, why: str) -> bool:
        """Say where a solution stands from now on; return whether there is one of this id."""
        known = any(one.id == id_ for one in self.solutions())
        if known:
            self._db.execute(_SET_STATUS, (status, self._text(why), id_))
        return known

    def put_test(self, one: KnownTest, run: str) -> None:
        """Write a refuting input, and how many programs of a run it refuted."""
        test = one.test
        body = _TEST.dump_json(test).decode()
        if self._text(body) == body:  # one that holds a secret would be another input without
            key = (one.fingerprint, test.arguments, test.links, test.calls.value)
            self._db.execute(_PUT_TEST, (*key, body, run))
            self._db.execute(_PUT_REFUTATION, (*key, run, one.programs, one.at))

    def put_fix(self, fix: FixRow) -> None:
        """Write how often a fix helped in a run; `fixes` adds the runs up."""
        key = f"{fix.id} {fix.last_run}"
        texts = (self._text(fix.error_pattern), self._text(fix.solution))
        row = (key, *texts, fix.frequency, fix.language, fix.verified, fix.last_run)
        self._db.execute(_PUT_FIX, row)

    def runs(self) -> list[KnownRun]:
        """Return all runs, the first one first."""
        return list(self._read(_RUNS, (), _run, "its runs"))

    def solutions(self) -> list[KnownSolution]:
        """Return all solutions, the largest effect first."""
        return list(self._read(_SOLUTIONS, (), _solution, "its solutions"))

    def tests(self, fingerprint: str) -> list[Counterexample]:
        """Return inputs that refuted programs of a problem: of most first, then the newest."""
        return list(self._read(_TESTS, (fingerprint,), _test, "its tests"))

    def fixes(self, exclude_families: Iterable[str] = ()) -> list[FixRow]:
        """Return all fixes: verified ones first, then by how often they helped.

        Args:
            exclude_families: Families of problems whose runs are left out.
        """
        left_out = json.dumps(list(exclude_families))
        return list(self._read(_FIXES, (left_out,), _fix, "its fixes"))

    def _read(
        self, query: str, values: tuple[str, ...], make: Callable[..., Any], where: str
    ) -> Iterator[Any]:
        return self._db.records(query, values, make=lambda row: make(*row), where=where)

    def _text(self, text: str) -> str:
        return free_of_secrets(encodable(text), self._secrets)


def _run(*row: Any) -> KnownRun:
    found = dict(zip((one.name for one in fields(KnownRun)), row, strict=True))
    for name in ("traits", "words"):
        found[name] = tuple(map(str, json.loads(found[name] or "[]")))
    return KnownRun(**{**found, "trusted": bool(found["trusted"])})


def _solution(*row: Any) -> KnownSolution:
    id_, project, function, code, rate, coverage, entry, effect, low, high, *more = row
    edits, run, initial, form, status, why = more
    return KnownSolution(
        id=str(id_),
        project=str(project),
        function=str(function),
        files=_FILES.validate_json(code),
        success_rate=float(rate or 0.0),
        coverage=float(coverage or 0.0),
        entry_content=str(entry),
        effect=float(effect),
        low=float(low),
        high=float(high),
        edits=_EDITS.validate_json(edits or "[]"),
        run=str(run),
        initial=_FILES.validate_json(initial or "{}"),
        form=str(form or ""),
        status=str(status),
        why=str(why),
    )


def _test(body: str) -> Counterexample:
    return _TEST.validate_json(body)


def _fix(*row: Any) -> FixRow:
    id_, pattern, solution, frequency, language, verified, last = row
    return FixRow(
        id=str(id_),
        error_pattern=str(pattern),
        solution=str(solution),
        frequency=int(frequency or 0),
        language=str(language or ""),
        verified=bool(verified),
        last_run=str(last or ""),
    )
