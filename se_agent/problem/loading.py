"""From a problem folder to a `Problem`: reads text and validates it, runs nothing.

The format is described in `problems/README.md`. The schema of the TOML files is
`schema`; what can be said of Python text without running it is `program.source_check`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from se_agent.errors import ProblemError, did_you_mean
from se_agent.files import plain
from se_agent.problem.misfits import is_whole, misfits
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.problem.schema import (
    CaseFile,
    CaseRow,
    Inputs,
    ProblemFile,
    misplaced_error,
    parse,
)
from se_agent.problem.used_package import used_package
from se_agent.program import source_check
from se_agent.program.language import Language
from se_agent.program.parsing import tree_of
from se_agent.values.answer import Answer, Axis
from se_agent.values.objective import CPU_TIME, Objective

_FILE = "problem.toml"
_MB = 1 << 20


def find_problems() -> Mapping[str, Path]:
    """Return the folders of the shipped problems by name, in the order of their names."""
    return {path.name: path for path in sorted(_shelf().iterdir()) if (path / _FILE).is_file()}


def load_problem(name_or_path: str | Path) -> Problem:
    """Load a shipped problem by name, or any problem by the path of its folder.

    Raises:
        ProblemError: There is no such problem, or it cannot be used as it stands. The message
            names file, line and key as far as they are known; the hint says what to do.
    """
    return _Folder(_located(name_or_path)).problem()


def fingerprint(problem: Problem) -> str:
    """Return a stable hash of all that decides how programs are run and judged.

    Name, title, family, statement and usage are left out: they are for people and prompts. So
    are settings of a formatter, and what a row states of its cases: nobody is held to it.
    """
    matters = asdict(problem)
    for label in ("name", "title", "family", "statement", "stated", "formatter", "usage"):
        del matters[label]
    del matters["terms"]["chosen"]  # it decides which doubts are told
    newer = ("valid", "needs", "answer", "reference", "rel_tol", "abs_tol", "opened", "blobs")
    for label in newer:
        if not matters[label]:  # older runs know none
            del matters[label]
    if problem.language is Language.PYTHON:  # older runs know no other
        del matters["language"]
    if problem.objective == CPU_TIME:  # the same
        del matters["objective"]
    if problem.workload is None:  # the same
        del matters["workload"]
        if not problem.command:
            del matters["command"], matters["files"]
    matters["programs"] = list(problem.programs.items())
    return hashlib.sha256(repr(sorted(matters.items())).encode()).hexdigest()[:32]


def _shelf() -> Path:
    here = Path(__file__).resolve().parents[1]
    checkout = here.parent / "problems"
    # An installed wheel carries them inside the package; only a checkout has a pyproject.toml
    # beside them, and a stranger's `problems` in site-packages has not.
    if checkout.is_dir() and (here.parent / "pyproject.toml").is_file():
        return checkout
    return here / "problems"


def _located(name_or_path: str | Path) -> Path:
    shipped = find_problems()
    name = str(name_or_path)
    if name in shipped:
        return shipped[name]
    path = Path(name_or_path)
    if path.is_file() and path.name == _FILE:
        return path.parent
    if path.is_dir():
        return path
    if path.exists():
        raise ProblemError(f"{path}: not a problem folder", hint=f"give the folder of {_FILE}")
    if "/" in name or "\\" in name:
        raise ProblemError(f"{path}: no such folder", hint="check the path")
    known = f"known: {', '.join(shipped)}"
    raise ProblemError(
        f"unknown problem {name!r}: neither a folder here nor shipped",
        hint=did_you_mean(name, shipped) or known,
    )


@dataclass(frozen=True)
class _Folder:
    """One problem folder, read piece by piece; the order of the checks is that of `problem`."""

    path: Path

    @cached_property
    def file(self) -> ProblemFile:
        return parse(ProblemFile, self.path / _FILE, self.text(_FILE))

    @property
    def kind(self) -> ProblemKind:
        return ProblemKind(self.file.kind)

    @property
    def language(self) -> Language:
        return Language(self.file.language)

    def problem(self) -> Problem:
        for key, message, hint in misfits(self.file):
            raise self.wrong(key, message, hint)
        if self.kind is ProblemKind.COMMAND:
            return _commanded(self)
        file, score, inputs = self.file, self.file.score, self.file.inputs
        assert inputs is not None
        cases = (*self.written_cases(), *_generated_cases(inputs))
        if not cases and score is None:
            key, told = "inputs.visible", "set it to 1 or more, or write cases.toml"
            raise self.wrong(key, "there is no visible test", told)
        used = file.workload and used_package(self.path, file.workload, self.text, self.wrong)
        found = Problem(
            name=self.path.resolve().name,
            kind=self.kind,
            title=file.title,
            family=file.family,
            statement=self.optional("statement"),
            prelude=self.source("prelude", file.prelude),
            programs={} if used else self.programs(),
            path=f"main{self.language.suffix}",
            language=self.language,
            entry_point=file.entry_point,
            generator=self.source("inputs.generator", inputs.generator, "generate"),
            valid=self.source("inputs.valid", inputs.valid, "valid"),
            ladder=_ladder(inputs),
            cases=cases,
            checker=self.source("check.file", file.check.file, "check"),
            tolerance=file.check.tolerance,
            rel_tol=file.check.rel_tol,
            abs_tol=file.check.abs_tol,
            scorer=self.source("score.file", score.file, "score") if score else "",
            shown=inputs.shown,
            answer=_answer(file),
            direction=score.direction if score else "minimize",
            unit=score.unit if score else "s",
            imports=tuple(file.imports),
            needs=tuple(dict.fromkeys((*file.needs, *self.language.needs))),
            limits=_limits(file),
            objective=Objective.weighted(file.weights or {file.objective: 1.0}),
            reference=file.reference,
        )
        return used.problem(found) if used else found

    def text(self, name: str, key: str = "", most: int = plain.LARGEST) -> str:
        """Return the text of a file of the folder; `key` is where its name stands."""
        path = self.path / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise self.wrong(key, f"{name!r} lies outside the folder", "move the file inside")
        try:
            return plain.text(path, inside=self.path, most=most)
        except OSError as err:
            told = _remedy(path, err)
            if key:
                raise self.wrong(key, f"cannot read {path}: {err.strerror}", told) from err
            raise ProblemError(f"{path}: {err.strerror}", hint=told) from err
        except UnicodeDecodeError as err:
            raise ProblemError(f"{path}: {err}", hint="save the file as UTF-8") from err

    def optional(self, key: str) -> str:
        """Return the text of a file that has a default name, or '' when it is not there."""
        name: str = getattr(self.file, key)
        if key not in self.file.model_fields_set and not os.path.lexists(self.path / name):
            return ""
        return self.text(name, key)

    def source(self, key: str, name: str, needed: str = "") -> str:
        """Return the text of a Python file, '' without a name; it must define `needed`."""
        if not name:
            return ""
        text = self.text(name, key, plain.LARGEST_SOURCE)
        tree = source_check.parsed_tree(text, self.path / name)
        if needed:
            source_check.require(needed, [tree], self.path / name, "the function")
        return text

    def programs(self) -> dict[str, str]:
        names = self.file.programs or {"initial": f"initial{self.language.suffix}"}
        most = plain.LARGEST_SOURCE
        texts = {name: self.text(rel, f"programs.{name}", most) for name, rel in names.items()}
        if self.language is Language.PYTHON:
            self.check_programs({names[name]: text for name, text in texts.items()})
        return texts

    def check_programs(self, texts: Mapping[str, str]) -> None:
        """See that programs in Python can be run, as far as it shows without running them."""
        file = self.file
        prelude = tree_of(self.source("prelude", file.prelude))
        for name, text in texts.items():
            path = self.path / name
            tree = source_check.parsed_tree(text, path)
            if self.kind is not ProblemKind.COMMAND:
                source_check.require_imports(tree, path, file.imports)
            if file.entry_point:
                source_check.require(file.entry_point, [tree, prelude], path, "the entry point")

    def written_cases(self) -> list[Case]:
        name = self.file.cases
        rows = parse(CaseFile, self.path / name, self.optional("cases")).case
        return [self.case(number, row) for number, row in enumerate(rows)]

    def case(self, number: int, row: CaseRow) -> Case:
        stdio = is_whole(self.file)
        given, other = ("stdin", "args") if stdio else ("args", "stdin")
        answer, foreign = ("stdout", "expected") if stdio else ("expected", "stdout")
        path, loc = self.path / self.file.cases, ("case", number)
        for name in (other, foreign):
            if getattr(row, name) is not None:
                told, kind = f"write {given} and {answer}", "stdio" if stdio else self.kind
                raise misplaced_error(path, (*loc, name), f"not in a {kind} case", hint=told)
        code: str | None = getattr(row, given)
        if code is None:
            told = f"add {given} = ..."
            raise misplaced_error(path, (*loc, given), "this key is missing", hint=told)
        if stdio:
            return Case(name=row.name, input=Expr(code=repr(code)), expected=row.stdout)
        if not source_check.is_expression(code):
            told = 'it gives a tuple, such as "([1, 2], 3)" or "(1,)" with its comma'
            message = f"not a Python expression: {code!r}"
            raise misplaced_error(path, (*loc, "args"), message, hint=told)
        if row.expected is not None and not source_check.is_literal(row.expected):
            told = "write the value itself; leave the key out to take the initial answer"
            message = f"not a Python literal: {row.expected!r}"
            raise misplaced_error(path, (*loc, "expected"), message, hint=told)
        return Case(name=row.name, input=Expr(code=code, seed=row.seed), expected=row.expected)

    def wrong(self, key: str, message: str, hint: str) -> ProblemError:
        return misplaced_error(self.path / _FILE, key.split("."), message, hint=hint)


def _remedy(path: Path, err: OSError) -> str:
    """Return what to do about a file of a folder that cannot be read."""
    if isinstance(err, PermissionError):
        return plain.to_be_readable(path)
    if not isinstance(err, FileNotFoundError):
        return "put the file itself into the folder: a text, no link that leads out of it"
    near = sorted(each.name for each in path.parent.glob("*") if each.name != path.name)
    return did_you_mean(path.name, near) or (
        f"write {path.name}; problems/README.md has an example to copy"
    )


def _commanded(folder: _Folder) -> Problem:
    """Return the problem of a folder whose programs are run by a command."""
    file, score, command = folder.file, folder.file.score, folder.file.command
    assert score is not None
    assert command is not None
    return Problem(
        name=folder.path.resolve().name,
        kind=folder.kind,
        title=file.title,
        family=file.family,
        statement=folder.optional("statement"),
        programs=folder.programs(),
        path=f"main{folder.language.suffix}",
        language=folder.language,
        direction=score.direction,
        unit=score.unit,
        limits=_limits(file),
        command=tuple(command.run),
        files={name: folder.text(name, "command.files") for name in command.files},
    )


def _answer(file: ProblemFile) -> Answer | None:
    if file.answer is None or file.score is None:
        return None
    told = file.answer
    return Answer(
        coordinates=told.coordinates,
        axes=tuple(map(Axis, told.positions, told.low, told.high)),
        larger_is_better=file.score.direction == "maximize",
        cpu_seconds=file.limits.cpu_seconds,
    )


def _limits(file: ProblemFile) -> Limits:
    return Limits(
        cpu_seconds=file.limits.cpu_seconds,
        memory_bytes=file.limits.memory_mb * _MB,
        output_bytes=file.limits.output_mb * _MB,
    )


def _ladder(inputs: Inputs) -> Ladder:
    final = inputs.sizes.index(inputs.final or inputs.sizes[-1])
    return Ladder(
        rungs=tuple((_call(size),) for size in inputs.sizes),
        final_level=final,
        search_level=inputs.sizes.index(inputs.search) if inputs.search else final,
    )


def _generated_cases(inputs: Inputs) -> Iterator[Case]:
    """Give the generated visible tests, of the two smallest sizes in turn.

    Their seeds are below those of every measurement input (`Ladder.expr`).
    """
    for number in range(inputs.visible):
        level = number % len(inputs.sizes[:2])
        size = inputs.sizes[level]
        yield Case(
            name=f"size {size}, seed {number}",
            input=Expr(code=_call(size), seed=number, level=level),
        )


def _call(size: int) -> str:
    return f"generate(rng, {size})"
