"""The options that say how a function of the user's is called, in groups.

A command takes a group as one parameter; on the command line each field is an option of its
own, at the place of the group. Not here: what is done with them (`commands.prove`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints  # an option has a value of any type

import typer

InputsOption = Annotated[
    str,
    typer.Option(
        metavar="MODULE:GENERATOR",
        help="Makes inputs: generate(rng, size), generate(rng), or an iterable of tuples.",
    ),
]
ExampleOption = Annotated[
    list[str] | None,
    typer.Option(metavar="CALL", help='One input, such as "f(1, [2, 3])"; may be repeated.'),
]
WorkloadOption = Annotated[
    str,
    typer.Option(
        metavar="FILE.py:FUNCTION",
        help="Your code that uses TARGET: takes and returns plain data, and is what is timed.",
    ),
]
TestsOption = Annotated[
    str, typer.Option(metavar="PATH", help="Your pytest tests, which must pass as well.")
]
PythonOption = Annotated[
    str, typer.Option(metavar="VENV", help="Virtual environment with packages that are needed.")
]
OpenOption = Annotated[
    list[str] | None,
    typer.Option(
        "--open",
        metavar="PATH",
        help="Show programs a file or folder that they are not shown, such as one that git "
        "ignores; may be repeated.",
    ),
]

RelTolOption = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        min=0,
        help="Tolerance for floats, as a share of the larger: judge.rel_tol.",
    ),
]
AbsTolOption = Annotated[
    float | None,
    typer.Option(metavar="SIZE", min=0, help="Absolute tolerance for floats: judge.abs_tol."),
]


@dataclass(frozen=True, kw_only=True)
class InputOptions:
    """What a function is called on."""

    inputs: InputsOption = ""
    example: ExampleOption = None

    @property
    def examples(self) -> tuple[str, ...]:
        """The calls that were given one by one."""
        return tuple(self.example or ())


@dataclass(frozen=True, kw_only=True)
class UseOptions:
    """How what is to be faster is used: by code of the user's, and by tests."""

    workload: WorkloadOption = ""
    tests: TestsOption = ""


@dataclass(frozen=True, kw_only=True)
class SettingOptions:
    """Where a function runs, and what its results may differ by."""

    python: PythonOption = ""
    open_: OpenOption = None
    rel_tol: RelTolOption = None
    abs_tol: AbsTolOption = None

    @property
    def opened(self) -> tuple[str, ...]:
        """The paths that programs are shown besides."""
        return tuple(self.open_ or ())

    @property
    def overrides(self) -> list[str]:
        """The settings of the run file that the options for tolerances stand for."""
        given = (("judge.rel_tol", self.rel_tol), ("judge.abs_tol", self.abs_tol))
        return [f"{key}={float(size)!r}" for key, size in given if size is not None]


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes each field of its groups as a parameter of its own.

    Typer reads options off a signature, and knows no groups.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters = [
        each
        for parameter in signature(command).parameters.values()
        for each in _options(parameter.replace(annotation=hints[parameter.name]))
    ]

    @wraps(command)
    def ungrouped(**given: Any) -> None:  # values of options
        for name, kind in groups.items():
            own = {field.name: given.pop(field.name) for field in fields(kind)}
            given[name] = kind(**own)
        command(**given)

    ungrouped.__annotations__ = {each.name: each.annotation for each in parameters}
    vars(ungrouped)["__signature__"] = Signature(parameters)
    return ungrouped


def _options(parameter: Parameter) -> Iterator[Parameter]:
    """Yield a parameter, or one for each field if it is a group."""
    kind = parameter.annotation
    if not is_dataclass(kind):
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY)
        return
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=default,
            annotation=hints[field.name],
        )
