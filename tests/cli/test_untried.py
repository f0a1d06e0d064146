"""A run that a time limit ended too soon: the command that goes on is told, and it works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.values.evaluation import ComparisonKind
from tests.cli.calls import call
from tests.engine.runs import CrashAt
from tests.engine.test_out_of_time import Stuck, at
from tests.fakes import Endless, NumberEvaluator, number_problem, number_run


@pytest.mark.tier("runs")
def test_a_confirmation_that_was_broken_off_is_told_with_the_command_that_completes_it(
    tmp_path: Path,
) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, operators=[Endless.name], budget={"evaluations": 8}),
            problem=number_problem(timed=True),
            listeners=[CrashAt("search_ended")],
            evaluators=lambda *_: NumberEvaluator(ComparisonKind.TIMED),
        )
    folder = tmp_path / "run"
    resume(
        folder,
        evaluators=lambda *_: Stuck(ComparisonKind.TIMED, at("final")),
        overrides=["budget.wall_seconds=0.5"],
    )
    shown = call("show", folder)
    found = re.search(
        r"the search goes on, and its gain may be confirmed:\n  (se-agent .*)\n", shown.out
    )
    assert found is not None, shown
    assert shlex.split(found[1])[1:] == [
        "resume",
        str(folder),
        "--set",
        "budget.wall_seconds=10",
    ]
    completed = resume(
        folder,
        evaluators=lambda *_: NumberEvaluator(ComparisonKind.TIMED),
        overrides=shlex.split(found[1])[4:],
    )
    assert completed.status == "proven"
    assert "with more time" not in call("show", folder).out
