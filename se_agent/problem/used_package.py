"""The package of a `workload` problem: its files, what may change, and who calls it.

Read and checked, nothing runs. Not here: all that other problems have as well (`loading`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from se_agent.errors import ProblemError, defined_hint
from se_agent.problem.model import Gate, PackageModule, Problem, Workload
from se_agent.problem.schema import WorkloadSection
from se_agent.program import source_check
from se_agent.program.editable import editable_parts, in_words

TextOf = Callable[[str, str], str]
"""Gives the text of a file of the folder; the second argument is the key that names it."""

Wrong = Callable[[str, str, str], ProblemError]
"""Makes the error of a key, from what is wrong with it and a hint."""

_TARGETS, _TESTS = "workload.targets", "workload.tests"  # keys


@dataclass(frozen=True, kw_only=True)
class UsedPackage:
    """The files of a program, by their path from where they are imported, and who calls them.

    Attributes:
        files: Their texts; the first one is the program's own.
        editable: What of them may change, see `program.editable`.
        workload: What calls them.
        site: The folder that they are imported from.
        gate: Tests that a program has to pass besides; None: none.
    """

    files: Mapping[str, str]
    editable: str
    workload: Workload
    site: str
    gate: Gate | None

    def problem(self, common: Problem) -> Problem:
        """Return the problem, given all that it has in common with others."""
        path, *others = self.files
        use = self.workload
        told = statement_of(in_words(self.editable) or path, use.function, Path(use.file).name)
        return replace(
            common,
            statement=common.statement or told,
            programs={"initial": self.files[path]},
            path=path,
            files={other: self.files[other] for other in others},
            entry_point=use.function,
            editable=self.editable,
            workload=use,
            site=(self.site,),
            gate=self.gate,
            loading_counts=False,
        )


def statement_of(what: str, function: str, file: str) -> str:
    """Return what is asked of a program that a workload calls, in words."""
    return (
        f"Make {what} faster, for a program that uses it as `{function}` of `{file}` does. "
        "What that returns has to stay as it is now, and so have changed arguments and "
        "exceptions."
    )


def used_package(
    folder: Path, section: WorkloadSection, text_of: TextOf, wrong: Wrong
) -> UsedPackage:
    """Read what a section names.

    Args:
        folder: Folder of the problem.
        section: The section `[workload]` of its file.
        text_of: See `TextOf`.
        wrong: See `Wrong`.

    Raises:
        ProblemError: A file is missing, or no Python, or has no such function or class.
    """
    use = text_of(section.file, "workload.file")
    tree = source_check.parsed_tree(use, folder / section.file)
    source_check.require(section.function, [tree], folder / section.file, "the workload")
    home = folder.resolve()
    root = PurePosixPath(section.root)
    files, names = dict[str, str](), dict[str, list[str]]()
    for target in section.targets:
        path, _, name = target.partition(":")
        text = text_of(str(root / path), _TARGETS)
        _require(text, folder / root / path, name, wrong)
        files[path] = text
        names.setdefault(path, []).append(name)
    place = home / root
    modules = {p: PackageModule(name=_module_name(p), file=str(place / p)) for p in files}
    return UsedPackage(
        files=files,
        editable=editable_parts({p: () if "" in own else own for p, own in names.items()}),
        workload=Workload(
            name=Path(section.file).stem,
            package="",
            file=str(home / section.file),
            text=use,
            function=section.function,
            modules=modules,
        ),
        site=str(home / root),
        gate=_gate(home, section, [*files], wrong),
    )


def _require(text: str, path: Path, name: str, wrong: Wrong) -> None:
    known = [*source_check.definitions(source_check.parsed_tree(text, path))]
    if name and name not in known:
        told = f"{path.name} has no function or class {name!r}"
        raise wrong(_TARGETS, told, defined_hint(name, known))


def _module_name(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _gate(
    home: Path, section: WorkloadSection, files: Sequence[str], wrong: Wrong
) -> Gate | None:
    if not section.tests:
        return None
    if not (home / section.tests).exists():
        raise wrong(_TESTS, f"there is no {section.tests!r}", "name a file or folder of tests")
    return Gate(
        root=str(home),
        module=str(PurePosixPath(section.root) / files[0]),
        tests=section.tests,
        path=(section.root,),
        python=sys.executable,
    )
