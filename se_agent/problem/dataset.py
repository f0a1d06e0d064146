"""A problem set: a JSONL file of foreign problems, one row a problem.

Rows are data: their generators and checks run in the sandbox only. Not here: running them
(`se_agent.grid`).

Fields: `id`, `kind` (`function`), `statement`, `entry_point`, `prelude` (imports), `slow.code`
(a right program), `tests` (`args`, `expected` as Python literals), `input_generator` (source,
may be absent), `perf_inputs` (`expr`, evaluated in the generator's namespace under `seed`;
`level` grows), `check` (source of `check(args, expected, output)`, may be absent). Others are
ignored.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any  # JSON

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from se_agent.errors import NotMeasurableError, ProblemError, place_of, reason
from se_agent.files import plain
from se_agent.files.bounded import LONGEST
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.program.parsing import expression_tree

_LARGEST = 512 << 20  # bytes of a file
_STEADY = frozenset(dir(builtins)) - {"__import__", "eval", "exec"}
"""Names that mean the same under every seed."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Slow(_Part):
    """The program to start from."""

    code: str


class Test(_Part):
    """A visible test."""

    args: str
    expected: str


class PerfInput(_Part):
    """An input for measurement."""

    expr: str
    seed: int = 0
    level: int = 1


class DatasetRow(_Part):
    """One problem of a set."""

    id: Annotated[str, Field(max_length=LONGEST)]
    kind: str = "function"
    statement: str = ""
    entry_point: str
    prelude: str = ""
    slow: Slow
    tests: tuple[Test, ...] = ()
    input_generator: str = ""
    perf_inputs: tuple[PerfInput, ...] = ()
    check: str = ""

    @property
    def kind_of_source(self) -> str:
        """Where the problem comes from, in one word."""
        return "row"

    def facts(self) -> dict[str, Any]:
        """Return all that decides whether the row can be measured, as JSON."""
        return self.model_dump(exclude={"statement"})

    def load(self) -> Problem:
        """Return the problem of the row; see `problem`."""
        return problem(self)


def read(path: Path) -> list[DatasetRow]:
    """Return the rows of a file; blank lines do not count.

    Raises:
        ProblemError: The file is missing, a line is no row, or two rows share an id.
    """
    try:
        # Not `splitlines`: a text may hold the other ends of lines that it knows.
        lines = plain.text(path, most=_LARGEST).split("\n")
    except (OSError, UnicodeDecodeError) as err:
        raise ProblemError(
            f"{path}: cannot be read: {reason(err)}",
            hint="give a JSONL file, one problem a line",
        ) from err
    rows = [_row(path, n, line) for n, line in enumerate(lines, 1) if line.strip()]
    ids = Counter(row.id for row in rows)
    twice = next((id for id, count in ids.items() if count > 1), None)
    if twice is not None:
        raise ProblemError(f"{path}: two rows are called {twice!r}", hint="rename one of them")
    if not rows:
        raise ProblemError(f"{path}: no row", hint="give a JSONL file, one problem a line")
    return rows


def problem(row: DatasetRow) -> Problem:
    """Return the problem of a row.

    Raises:
        NotMeasurableError: It has fewer than two inputs for measurement.
        ProblemError: It is of a kind that sets do not have.
    """
    if row.kind != ProblemKind.FUNCTION:
        raise ProblemError(
            f"{row.id}: kind {row.kind!r}", hint="only 'function' rows are known"
        )
    generator = f"{row.prelude}\n{row.input_generator}\n"
    # Without a check of its own, a row's stated values may differ from its right program in
    # type (a list for a tuple): then the program is what others are held to.
    cases = tuple(
        Case(
            name=f"test {n}",
            input=Expr(code=_arguments(test.args)),
            expected=test.expected if row.check else None,
        )
        for n, test in enumerate(row.tests, 1)
    )
    return Problem(
        name=row.id,
        kind=ProblemKind.FUNCTION,
        programs={"slow": row.slow.code},
        family=row.id.partition("/")[0],
        statement=row.statement,
        entry_point=row.entry_point,
        cases=cases,
        stated=() if row.check else tuple(test.expected for test in row.tests),
        generator=generator,
        ladder=_ladder(row),
        checker=f"{row.prelude}\n{row.check}\n" if row.check else "",
        prelude=row.prelude,
        limits=Limits(cpu_seconds=20.0, memory_bytes=2 << 30),
    )


def _row(path: Path, number: int, line: str) -> DatasetRow:
    try:
        return DatasetRow.model_validate_json(line)
    except ValidationError as err:
        first = err.errors()[0]
        where = place_of(first["loc"])
        raise ProblemError(
            f"{path}:{number}: {where or 'the line'}: {first['msg']}",
            hint="a row is one JSON object; the fields are in problems/README.md",
        ) from err


def _arguments(expr: str) -> str:
    """Rows write arguments as a list or as a tuple."""
    return f"tuple({expr})"


def _ladder(row: DatasetRow) -> Ladder:
    """Unseen seeds give unseen inputs; where nothing is drawn, what there is is shared out."""
    if row.input_generator and not row.perf_inputs:
        raise NotMeasurableError(f"{row.id}: not measurable: no perf_inputs", hint="add some")
    # Constants are the same under every seed, whatever generator stands beside them.
    if not row.input_generator or not any(_draws(given.expr) for given in row.perf_inputs):
        return _shared_out(row)
    levels = sorted({given.level for given in row.perf_inputs})
    rungs = tuple(
        tuple(_arguments(given.expr) for given in row.perf_inputs if given.level == level)
        for level in levels
    )
    return Ladder(rungs=rungs, search_level=0, final_level=len(rungs) - 1)


def _shared_out(row: DatasetRow) -> Ladder:
    """Split the distinct inputs by hash, the largest level on both sides.

    A single input of the largest level is for the confirmation.
    """
    distinct = _distinct(row.perf_inputs)
    if len(distinct) < 2:
        raise NotMeasurableError(
            f"{row.id}: not measurable: {len(distinct)} distinct inputs, and none is drawn",
            hint="a row needs two, one to search with and one to confirm with",
        )
    largest = max(given.level for given in distinct)
    top = _by_hash(g for g in distinct if g.level == largest)
    rest = _by_hash(g for g in distinct if g.level != largest)
    ordered = [*top, *rest] if len(top) > 1 else [*rest[:1], *top, *rest[1:]]
    return Ladder(fresh=False, search=tuple(ordered[0::2]), final=tuple(ordered[1::2]))


def _distinct(inputs: Iterable[PerfInput]) -> list[PerfInput]:
    """Return one of each input.

    An expression under two seeds is two inputs only if it uses a name that is neither its own
    nor a builtin, such as `rng`, `random` or a function of the prelude: those may draw.
    """
    seeds: dict[str, dict[int, PerfInput]] = {}
    for given in inputs:
        seeds.setdefault(given.expr, {})[given.seed] = given
    distinct: list[PerfInput] = []
    for expr, found in seeds.items():
        several = len(found) > 1 and _draws(expr)
        distinct += list(found.values())[: None if several else 1]
    return distinct


def _draws(expr: str) -> bool:
    """Say whether an expression may differ from seed to seed."""
    try:
        nodes = list(ast.walk(expression_tree(_arguments(expr))))
    except (SyntaxError, ValueError):
        return False
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return any(node.id not in own | _STEADY for node in names)


def _by_hash(given: Iterable[PerfInput]) -> list[Expr]:
    inputs = sorted(given, key=lambda g: (hashlib.sha256(g.expr.encode()).hexdigest(), g.seed))
    return [Expr(code=_arguments(g.expr), seed=g.seed) for g in inputs]
