"""Looking at calls: who waits is refused, and who is read slowly does not wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.user_function.function import find
from se_agent.user_function.jail_calls import Caller, hint_of
from tests.user_function.jails import OpenJail


def caller(tmp_path: Path, size: int) -> Caller:
    (tmp_path / "m.py").write_text(f"def f(n):\n    return 'x' * {size}\n", encoding="utf-8")
    return Caller(OpenJail(waiting=1.0), find(f"{tmp_path / 'm.py'}:f"))


def test_a_call_that_waits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="it waits: "):
        caller(tmp_path, 10).look([wire.dumps((1,))])


def test_a_quick_call_does_not_wait_where_others_held_up_its_process(tmp_path: Path) -> None:
    """Loading stood still for 20 ms, and the process of the call for another 16 ms."""
    (tmp_path / "m.py").write_text("def f(n):\n    return n\n", encoding="utf-8")
    jail = OpenJail(waiting=0.016, crowded=2.0, loading=0.02)
    assert Caller(jail, find(f"{tmp_path / 'm.py'}:f")).look([wire.dumps((1,))]).answered == 1


def test_an_answer_that_no_pipe_holds_waits_for_its_reader(tmp_path: Path) -> None:
    found = caller(tmp_path, 2 << 20).look([wire.dumps((1,))])
    assert found.answer > 2 << 20


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("REJECTED: socket", "sandbox.isolation=namespace"),
        ("PackageNotFoundError: No package metadata was found for shop", "--python VENV"),
        ("ImportError: cannot import name '_fast' from 'shop'", "compiled"),
        ("ValueError: no", "inputs that it can answer"),
    ],
)
def test_what_a_program_said_decides_what_is_advised(said: str, hint: str) -> None:
    assert hint in hint_of(said)
