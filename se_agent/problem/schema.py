"""What `problem.toml` and `cases.toml` may hold, and how a mistake in one is told.

The schema is closed: a key that is not here is an error with its line. Not here: the files
that a problem names, and what they must define (`program.source_check`, `loading`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeVar, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from se_agent.errors import ProblemError, did_you_mean, place_of
from se_agent.files import plain
from se_agent.files.bounded import TomlError, require_line, texts_in, toml
from se_agent.problem.model import ProblemKind

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_LARGE = 1e15  # numbers up to there are repeated where they are wrong

Positive = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]
Size = Annotated[int, Field(gt=0, le=1 << 40)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    of_lines: ClassVar[frozenset[str]] = frozenset()
    """Keys whose texts may have several lines, and any characters."""

    @field_validator("*")
    @classmethod
    def _one_line(cls, value: object, info: ValidationInfo) -> object:
        if info.field_name not in cls.of_lines:
            for text in texts_in(value):
                require_line(text)
        return value


class Inputs(_Section):
    """Where inputs come from: `generate(rng, size)` of the generator, at growing sizes.

    `search` and `final` are sizes of the list (the largest by default); `visible` counts the
    generated visible tests, taken from the two smallest sizes in turn. `shown` is how many
    of the arguments the program is given where a scorer is given all. `valid` is a file with
    `valid(arguments)`, or `valid(text)`: which inputs a program has to answer.
    """

    sizes: Annotated[list[Size], Field(min_length=1)]
    generator: str = "generator.py"
    valid: str = ""
    final: Size = 0
    search: Size = 0
    visible: Annotated[int, Field(ge=0)] = 8
    shown: Size | None = None

    @field_validator("sizes")
    @classmethod
    def _grow(cls, sizes: list[int]) -> list[int]:
        if any(a >= b for a, b in itertools.pairwise(sizes)):
            raise ValueError(f"{sizes} do not grow")
        return sizes

    @field_validator("final", "search")
    @classmethod
    def _listed(cls, size: int, info: ValidationInfo) -> int:
        sizes = info.data.get("sizes", [size])
        if size not in sizes:
            raise ValueError(f"{size} is not one of the sizes {sizes}")
        return size


class LimitsSection(_Section):
    """What one run may use: CPU seconds, megabytes of memory, megabytes of output."""

    cpu_seconds: Positive = 10.0
    memory_mb: Size = 1024
    output_mb: Size = 64


class Check(_Section):
    """How answers are compared; without this section they must be equal, types included.

    `rel_tol` and `abs_tol` are what floats may differ by, as a share of the larger and as it
    is; `tolerance` stands for both. Whichever allows more holds.
    """

    file: str = ""
    tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    rel_tol: Annotated[float, Field(ge=0, lt=1)] = 0.0
    abs_tol: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0

    @property
    def tolerates(self) -> bool:
        """Whether floats may differ at all."""
        return any((self.tolerance, self.rel_tol, self.abs_tol))


class Score(_Section):
    """How answers of a `score` problem are rated; a `command` problem has no file for it."""

    file: str = "scorer.py"
    direction: Literal["minimize", "maximize"]
    unit: Annotated[str, Field(max_length=100)] = ""


class AnswerSection(_Section):
    """What the answers of a `score` problem are made of: elements, each a list of numbers.

    `coordinates` is how many numbers an element has, `positions` says which of them, counted
    from 0, are its position, between `low` and `high`, one number for each of these.
    """

    coordinates: Size
    positions: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)]
    low: list[Annotated[float, Field(allow_inf_nan=False)]]
    high: list[Annotated[float, Field(allow_inf_nan=False)]]

    @field_validator("positions")
    @classmethod
    def _inside(cls, positions: list[int], info: ValidationInfo) -> list[int]:
        count = info.data.get("coordinates", max(positions) + 1)
        if max(positions) >= count or len(set(positions)) < len(positions):
            raise ValueError(f"{positions} are not different numbers below {count}")
        return positions

    @field_validator("low", "high")
    @classmethod
    def _each(cls, ends: list[float], info: ValidationInfo) -> list[float]:
        positions, low = info.data.get("positions", ends), info.data.get("low")
        if len(ends) != len(positions):
            raise ValueError(f"{ends} are not {len(positions)} numbers, one for each position")
        if low is not None and any(a >= b for a, b in zip(low, ends, strict=False)):
            raise ValueError(f"{ends} are not above {low}")
        return ends


class Command(_Section):
    """How programs of a `command` problem are run.

    `run` are the words of a command whose last line is the score; `{program}` is the path of
    the program, and `files` are put beside it.
    """

    run: Annotated[list[str], Field(min_length=1)]
    files: list[str] = []


class WorkloadSection(_Section):
    """What calls the program of a `workload` problem, and what of its package may change.

    `file` has the `function` that is called; `targets` are such as `shelf/books.py:Shelf`, or a
    file alone. `tests` is a file or folder that pytest runs for each candidate. Modules are
    imported from `root`, a folder.
    """

    targets: Annotated[list[str], Field(min_length=1)]
    file: str = "workload.py"
    function: str = "workload"
    root: str = "."
    tests: str = ""


class ProblemFile(_Section):
    """`problem.toml`, complete. Every path is relative to its folder."""

    kind: Literal["function", "stdio", "score", "command", "workload"]
    title: Annotated[str, Field(max_length=100)] = ""
    family: Annotated[str, Field(max_length=100)] = ""
    language: Literal["python", "cpp", "c", "rust", "go", "java", "javascript"] = "python"
    entry_point: str = ""
    statement: str = "statement.md"
    prelude: str = ""
    imports: list[str] = []
    needs: list[Literal["threads", "children", "files"]] = []
    programs: Annotated[dict[str, str] | None, Field(min_length=1)] = None
    cases: str = "cases.toml"
    objective: Literal["cpu", "wall", "memory", "memory_time", "instructions"] = "cpu"
    weights: dict[str, Positive] = {}
    reference: str = ""
    inputs: Inputs | None = None
    limits: LimitsSection = LimitsSection()
    check: Check = Check()
    score: Score | None = None
    answer: AnswerSection | None = None
    command: Command | None = None
    workload: WorkloadSection | None = None


class CaseRow(_Section):
    """One visible test: `args` and `expected` of a function, `stdin` and `stdout` of stdio.

    `args` is a Python expression for the tuple of arguments, evaluated like an input;
    `expected` a Python literal. Without `expected` or `stdout`, the initial program's answer
    is the right one.
    """

    of_lines = frozenset({"args", "expected", "stdin", "stdout"})

    name: str
    args: str | None = None
    expected: str | None = None
    seed: Annotated[int, Field(ge=0)] = 0
    stdin: str | None = None
    stdout: str | None = None


class CaseFile(_Section):
    """`cases.toml`: a list of `[[case]]` tables."""

    case: list[CaseRow] = []


T = TypeVar("T", bound=BaseModel)

_PART = r"""[\w-]+|"[^"]*"|'[^']*'"""
_KEY = rf"((?:{_PART})(?:\s*\.\s*(?:{_PART}))*)"
_HEADER = re.compile(rf"\s*(\[\[?)\s*{_KEY}\s*\]")
_ENTRY = re.compile(rf"\s*{_KEY}\s*=")


def parse(schema: type[T], path: Path, text: str) -> T:
    """Read TOML text into a schema.

    Raises:
        ProblemError: The message names the file, the line where it is known and the key.
    """
    try:
        return schema.model_validate(toml(text))
    except TomlError as err:
        raise ProblemError(
            f"{path}:{err.line or 1}: not valid TOML: {err}",
            hint="strings stand in quotes, lists in [ ], one key = value a line",
        ) from err
    except ValidationError as err:
        raise _told(err, schema, path, text) from err


def misplaced_error(
    path: Path, loc: Sequence[str | int], message: str, *, hint: str = ""
) -> ProblemError:
    """Return the error for a key whose value cannot be used, with its line if it has one."""
    text = plain.text(path, inside=path.parent) if path.is_file() else ""
    place = _place(path, text, [*map(str, loc)])
    return ProblemError(f"{place}: {place_of(loc)}: {message}", hint=hint)


def _told(err: ValidationError, schema: type[BaseModel], path: Path, text: str) -> ProblemError:
    # An unknown key comes first: it is often why another one is missing.
    first = min(err.errors(), key=lambda error: error["type"] != "extra_forbidden")
    loc = [str(part) for part in first["loc"]]
    key, where = loc[-1], f"{_place(path, text, loc)}: {place_of(first['loc'])}"
    if first["type"] == "extra_forbidden":
        known = _fields(schema, loc[:-1])
        hint = did_you_mean(key, known) or f"known keys: {', '.join(known)}"
        return ProblemError(f"{where}: unknown key", hint=hint)
    if first["type"] == "missing":
        return ProblemError(f"{where}: this key is missing", hint=f"add `{_example(key)}`")
    if first["type"] == "literal_error":
        known = _literals(_annotation(schema, loc))
        hint = did_you_mean(str(first["input"]), known) or f"one of: {', '.join(known)}"
        return ProblemError(f"{where}: {first['input']!r} is not known", hint=hint)
    message = first["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:] + _got(first)
    return ProblemError(f"{where}: {message}", hint="problems/README.md describes every key")


def _got(error: ErrorDetails) -> str:
    """Return the number that was found where another one was looked for, in words."""
    found = error["input"]
    numeric = type(found) in (int, float) and error["type"] != "value_error"
    return f", not {found!r}" if numeric and -_LARGE < found < _LARGE else ""


def _place(path: Path, text: str, loc: Sequence[str]) -> str:
    """Return `file:line` of a key, of what it is part of, or of its file: the nearest found."""
    lines = _lines(text)
    for length in range(len(loc), 0, -1):
        if line := lines.get(tuple(loc[:length])):
            return f"{path}:{line}"
    return str(path)


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """Return where each key and each section begins; a table of a list has its number."""
    found: dict[tuple[str, ...], int] = {}
    section: tuple[str, ...] = ()
    tables = Counter[tuple[str, ...]]()
    inside = False  # a text of several lines, which may look like anything
    for number, line in enumerate(text.split("\n"), 1):
        here: tuple[str, ...] = ()
        if not inside and (header := _HEADER.match(line)):
            here = section = _parts(header[2])
            if header[1] == "[[":
                section = here = (*here, str(tables[here]))
                tables[here[:-1]] += 1
        elif not inside and (entry := _ENTRY.match(line)):
            here = (*section, *_parts(entry[1]))
        for length in range(1, len(here) + 1):
            found.setdefault(here[:length], number)
        inside ^= len(re.findall(r'"{3}|\'{3}', line)) % 2 == 1
    return found


def _parts(key: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_PART, key))


def _fields(schema: type[BaseModel], parents: list[str]) -> list[str]:
    inner = _annotation(schema, parents) if parents else schema
    assert isinstance(inner, type)
    assert issubclass(inner, BaseModel)
    return list(inner.model_fields)


def _annotation(schema: type[BaseModel], loc: list[str]) -> object:
    """Return the type that a key is declared with; of `X | None` and `list[X]`, the X."""
    found: object = schema
    for name in (part for part in loc if not part.isdigit()):
        assert isinstance(found, type)
        assert issubclass(found, BaseModel)
        found = found.model_fields[name].annotation
        models = [
            t for t in get_args(found) if isinstance(t, type) and issubclass(t, BaseModel)
        ]
        found = models[0] if models else found
    return found


def _literals(annotation: object) -> list[str]:
    """Return what may be written for a key, or as one item of its list."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [each for inner in get_args(annotation) for each in _literals(inner)]


def _example(key: str) -> str:
    examples = {
        "kind": f'kind = "{ProblemKind.FUNCTION}"',
        "sizes": "sizes = [10, 100, 1000]",
        "direction": 'direction = "minimize"',
        "name": 'name = "empty list"',
        "coordinates": "coordinates = 3",
        "positions": "positions = [0, 1]",
        "low": "low = [0.0, 0.0]",
        "high": "high = [1.0, 1.0]",
        "run": 'run = ["python3", "judge.py", "{program}"]',
        "targets": 'targets = ["shelf/books.py:Shelf.unread"]',
    }
    return examples.get(key, f"{key} = ...")
