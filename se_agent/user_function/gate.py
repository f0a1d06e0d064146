"""The user's own pytest tests: where they are, and which calls they make. Texts only.

Not here: how the tests are run (the evaluators).
"""

from __future__ import annotations

import base64
import binascii
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from se_agent.errors import ProblemError
from se_agent.files.plain import resolved_path
from se_agent.problem.model import Gate
from se_agent.user_function.function import UserFunction
from se_agent.user_function.module import Module
from se_agent.user_function.site import packages_of, readable
from se_agent.wording import counted

MOST = 2000
"""Distinct calls that are recorded."""

LARGEST = 8 << 20
"""Bytes of arguments that are recorded, in wire form."""

_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")  # a folder with one is a project

_RECORDER = f"""


def _recording(function):
    import base64
    import functools
    import inspect
    import os

    from se_agent import wire
    from se_agent.errors import WireError

    signature = inspect.signature(function)
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    by_name = {{p.name for p in signature.parameters.values() if p.kind in kinds}}
    path = os.environ["SE_AGENT_CALLS"]
    state = {{"seen": set(), "size": 0, "inside": False}}

    def told(line):
        with open(path, "a", encoding="ascii") as file:
            file.write(line + "\\n")

    def note(args, kwargs):
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            return told("- a call that does not fit")
        if any(name in by_name for name in bound.arguments):
            return told("- a call with a keyword-only argument")
        if bound.kwargs:  # a keyword behind a default that was not given
            bound.apply_defaults()
        try:
            data = wire.dumps(bound.args)
        except WireError as err:
            return told("- " + ascii(str(err)))
        known, large = data in state["seen"], state["size"] + len(data) > {LARGEST}
        if known or large or len(state["seen"]) >= {MOST}:
            return None
        state["seen"].add(data)
        state["size"] += len(data)
        return told("+ " + base64.b64encode(data).decode())

    @functools.wraps(function)
    def recorded(*args, **kwargs):
        if state["inside"]:
            return function(*args, **kwargs)
        state["inside"] = True
        try:
            note(args, kwargs)
            return function(*args, **kwargs)
        finally:
            state["inside"] = False

    return recorded


"""


@dataclass(frozen=True)
class Recording:
    """Calls that the tests make.

    Attributes:
        inputs: Distinct arguments in wire form, in the order of the calls.
        skipped: Why other calls cannot be repeated, with how many there were.
    """

    inputs: tuple[bytes, ...]
    skipped: tuple[tuple[str, int], ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be told of it."""
        count = sum(number for _, number in self.skipped)
        if not count:
            return ()
        why, calls = self.skipped[0][0], counted(count, "call")
        verb = "is" if count == 1 else "are"
        return (f"{calls} of the tests {verb} not compared one by one: {why}.",)

    def require(self, tests: str) -> None:
        """Check that there is a call, where nothing else gives inputs.

        Raises:
            ProblemError: None can be repeated; says why.
        """
        if not self.inputs:
            raise ProblemError(
                f"--tests {tests}: none of their calls can be repeated: {self.skipped[0][0]}",
                hint="give inputs with --inputs or --example",
            )


def gate(target: UserFunction, tests: str, venv: str = "") -> Gate:
    """Return the gate that a path of tests means.

    Args:
        target: The function.
        tests: File or folder.
        venv: The environment with pytest; empty: that of se-agent.

    Raises:
        ProblemError: There is no such path, or project and tests have no folder of their
            own.
    """
    return gate_of([target.module], tests, venv)


def gate_of(modules: Sequence[Module], tests: str, venv: str = "") -> Gate:
    """Return the gate of tests that programs have to pass which are several modules.

    Args:
        modules: The modules; the first is the one that the gate names.
        tests: File or folder.
        venv: The environment with pytest; empty: that of se-agent.

    Raises:
        ProblemError: There is no such path, or project and tests have no folder of their
            own.
    """
    path = resolved_path(Path(tests))
    if not path.exists():
        file, _, test = tests.partition("::")
        single = f": without {test!r}, that file is one" if test and Path(file).exists() else ""
        raise ProblemError(
            f"--tests {tests}: No such file", hint=f"give a file or a folder{single}"
        )
    module, *_ = modules
    roots = dict.fromkeys(one.root for one in modules)
    root = Path(os.path.commonpath([path if path.is_dir() else path.parent, *roots]))
    readable(root, f"--tests {tests}: what holds {module.path.name} and the tests is copied")
    return Gate(
        root=str(root),
        module=str(module.path.relative_to(root)),
        tests=str(path.relative_to(root)),
        path=tuple(str(one.relative_to(root)) for one in roots),
        python=_python(venv),
    )


def gate_alone(tests: str, venv: str = "") -> Gate:
    """Return the gate of tests that run on the project as it is.

    The project is the nearest folder above them with a `pyproject.toml`, `setup.py`,
    `setup.cfg` or `.git`; without one, that of the tests, or the one above it where that is a
    package or called `tests`.

    Args:
        tests: File or folder.
        venv: The environment with pytest; empty: that of se-agent.

    Raises:
        ProblemError: There is no such path, or project and tests have no folder of their own.
    """
    path = resolved_path(Path(tests))
    if not path.exists():
        raise ProblemError(f"--tests {tests}: No such file", hint="give a file or a folder")
    folder = path if path.is_dir() else path.parent
    above = (folder, *folder.parents)
    marked = [one for one in above if any((one / name).exists() for name in _MARKS)]
    inner = folder.name in ("test", "tests") or (folder / "__init__.py").exists()
    root = marked[0] if marked else folder.parent if inner else folder
    readable(root, f"--tests {tests}: what holds the tests is copied")
    sources = [root / "src"] if (root / "src").is_dir() else []
    return Gate(
        root=str(root),
        module=str(path.relative_to(root)),
        tests=str(path.relative_to(root)),
        path=tuple(str(one.relative_to(root)) for one in (*sources, root)),
        python=_python(venv),
    )


def recorder(target: UserFunction) -> str:
    """Return the module with a function that writes down the calls of it."""
    name = target.function
    after = f"{name} = _recording({name})\ndel _recording\n"
    return f"{target.module.text}{_RECORDER}{after}"


def calls(target: UserFunction, written: str, tests: str) -> Recording:
    """Return what a recorder wrote.

    Raises:
        ProblemError: The tests never call the function.
    """
    inputs, skipped = list[bytes](), Counter[str]()
    for line in written.splitlines():
        if line.startswith("+ "):
            inputs += _decoded(line[2:])
        else:
            skipped[line[2:].strip("'")] += 1
    if not inputs and not skipped:
        raise ProblemError(
            f"--tests {tests}: they never call {target.name!r}",
            hint="give the tests of this function, or inputs with --inputs or --example",
        )
    unique = tuple(dict.fromkeys(inputs))[:MOST]
    return Recording(unique, tuple(skipped.most_common()))


def _decoded(text: str) -> list[bytes]:
    try:
        return [base64.b64decode(text, validate=True)]
    except (binascii.Error, ValueError):
        return []  # two processes wrote at once


def _python(venv: str) -> str:
    if not venv:
        return sys.executable
    packages = Path(packages_of(venv)[0])
    return str(packages.parents[2] / "bin" / "python")
