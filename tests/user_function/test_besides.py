"""What two functions do besides answering."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.user_function.besides import besides
from se_agent.user_function.function import UserFunction, find

HEAD = "LOG = []\n"
LOGS, PRINTS, NOTHING = "LOG.append(x)", "print(x)", "pass"


def target(folder: Path, name: str, body: str) -> UserFunction:
    path = folder / f"{name}.py"
    path.write_text(f"{HEAD}def f(x):\n    {body}\n    return x\n", encoding="utf-8")
    return find(f"{path}:f")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (NOTHING, NOTHING, []),
        (LOGS, LOGS, ["Each function changes `LOG`: what comes of that is not compared."]),
        (
            LOGS,
            NOTHING,
            ["The old function changes `LOG`, and the new one does not: not compared."],
        ),
        (NOTHING, PRINTS, ["The new function prints, and the old one does not: not compared."]),
    ],
)
def test_a_doubt_says_who_does_what(
    tmp_path: Path, old: str, new: str, told: list[str]
) -> None:
    assert list(besides(target(tmp_path, "old", old), target(tmp_path, "new", new))) == told
