"""The failing programs of `broken.toml`, what is seen of them, and whether one is right."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from evaluators.sandbox.child.error_status import feedback
from se_agent.values.evaluation import Evaluation, FailedCase, Status

ENTRY = "solve"


@dataclass(frozen=True, kw_only=True)
class Broken:
    """A failing program: its kind, its parent's text, its own, and that of before."""

    kind: str
    name: str
    parent: str
    text: str
    right: str
    calls: tuple[str, ...]

    @property
    def seen(self) -> Evaluation:
        """What an evaluator sees of it."""
        found = evaluation(self.text, self)
        assert found is not None, (self.name, self.text)
        return found

    def is_right(self, text: str) -> bool:
        return evaluation(text, self) is None


@cache
def every() -> tuple[Broken, ...]:
    data = tomllib.loads((Path(__file__).parent / "broken.toml").read_text("utf-8"))
    return tuple(one for program in data["program"] for one in _of(program))


def _of(program: dict[str, Any]) -> Iterator[Broken]:
    for kind, old, new in program["breaks"]:
        assert old in program["right"], (program["name"], old)
        yield Broken(
            kind=kind,
            name=program["name"],
            parent=program["parent"],
            text=program["right"].replace(old, new),
            right=program["right"],
            calls=tuple(program["calls"]),
        )


def evaluation(text: str, broken: Broken) -> Evaluation | None:
    """Return how a program fails, in the house's words; None: it is right."""
    try:
        answers = _answers(text, broken.calls)
    except SyntaxError as err:
        return Evaluation(status=Status.CE, feedback=feedback(err, path="main.py", source=text))
    except KeyError:
        return Evaluation(status=Status.RE, feedback=f"the program defines no {ENTRY!r}")
    for call, got, expected in zip(
        broken.calls, answers, _answers(broken.right, broken.calls), strict=True
    ):
        if got != expected:
            failed = FailedCase(name="a case", input=call, expected=expected, got=got)
            is_raised = "Error" in got
            status = Status.RE if is_raised else Status.WA
            return Evaluation(
                status=status, failing=(failed,), feedback=got if is_raised else ""
            )
    return None


def _answers(text: str, calls: tuple[str, ...]) -> list[str]:
    """Return what a program answers to each call, or what it raises where it is loaded."""
    space: dict[str, Any] = {"__name__": "solution"}
    code = compile(text, "main.py", "exec")
    try:
        exec(code, space)
    except Exception as err:  # noqa: BLE001
        return [feedback(err, path="main.py", source=text)] * len(calls)
    function = space[ENTRY]
    return [_answer(function, call, text) for call in calls]


def _answer(function: Any, call: str, text: str) -> str:
    try:
        return repr(function(*eval(call)))
    except Exception as err:  # noqa: BLE001
        return feedback(err, path="main.py", source=text)
