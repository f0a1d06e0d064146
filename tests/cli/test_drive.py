"""What is said when the work on a run ends otherwise than by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.cli.conclusion import marked
from se_agent.cli.drive import NO_GENERATION, RunWatch, drive, exit_code
from se_agent.cli.screen import Screen
from se_agent.engine.journal.result import Result, RunStatus
from se_agent.errors import ModelError
from se_agent.protocols import Listener


@pytest.mark.parametrize("begun", [True, False])
def test_whoever_has_no_model_any_more_is_told_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], begun: bool
) -> None:
    def work(view: Listener, watch: RunWatch) -> Result:
        if begun:
            watch(tmp_path)
        raise ModelError("401: wrong key", hint="see the key", fatal=True)

    with pytest.raises(ModelError, match="wrong key"):
        drive(work, Screen())
    told = f"saved. Resume with:\n  se-agent resume {tmp_path}" in capsys.readouterr().out
    assert told == begun


@pytest.mark.parametrize(
    ("end", "generations", "status", "code"),
    [
        ("cpu_seconds", 0, "not_tried", NO_GENERATION),
        ("cpu_seconds", 0, "not_proven", NO_GENERATION),
        ("cpu_seconds", 0, "proven", 0),
        ("cpu_seconds", 1, "not_proven", 0),
        ("exhausted", 0, "not_tried", 0),
        ("", 0, "interrupted", 0),
    ],
)
def test_a_budget_that_ended_in_the_first_generation_is_a_code_unless_a_gain_is_proven(
    end: str, generations: int, status: RunStatus, code: int
) -> None:
    result = Result(
        run="r",
        problem="p",
        status=status,
        best_solution_id="",
        budget_end=end,
        generations=generations,
    )
    assert exit_code(result) == code


@pytest.mark.parametrize(
    ("text", "suffix", "lines"),
    [
        ("x = 1\n", ".py", ["# se_agent: not confirmed", "x = 1"]),
        (
            "#!/bin/python\nx = 1\n",
            ".py",
            ["#!/bin/python", "# se_agent: not confirmed", "x = 1"],
        ),
        ("int x;\n", ".cpp", ["// se_agent: not confirmed", "int x;"]),
    ],
)
def test_a_best_program_is_marked_in_its_first_comment(
    text: str, suffix: str, lines: list[str]
) -> None:
    found = marked(text, suffix).splitlines()
    assert [line.partition(";")[0] if "se_agent" in line else line for line in found] == lines
