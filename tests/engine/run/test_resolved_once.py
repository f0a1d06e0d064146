"""One start, one resume, one check and one dry run make each operator once."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.values.brief import Brief
from se_agent.values.evaluation import ComparisonKind
from tests.cli.calls import call
from tests.engine.runs import Crash, factory, ran
from tests.engine.talking import Mutation
from tests.fakes import Endless, number_problem, number_run

made: list[str] = []
QUICK = (
    "measure.self_test_blocks=2",
    "measure.fast_seconds=0.002",
    "measure.slow_seconds=0.01",
    "judge.pairs=3",
)


class Counted(Endless):
    """An operator that counts how often it is made."""

    name = f"{__name__}:Counted"

    def __init__(self) -> None:
        made.append(self.name)


class Idle(Counted):
    """One that has nothing on offer: a run with it ends before its search."""

    name = f"{__name__}:Idle"

    def offers(self, brief: Brief) -> tuple[()]:
        return ()


class Written(Mutation):
    """One that a model writes, and that counts as well."""

    name = f"{__name__}:Written"

    def __init__(self) -> None:
        made.append(self.name)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made.clear()


def test_a_start_makes_them_once(tmp_path: Path) -> None:
    ran(tmp_path, operators=[Counted.name])
    assert made == [Counted.name]


@pytest.mark.tier("runs")
def test_a_resume_and_a_replay_make_them_once(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, operators=[Counted.name], name="run"),
            problem=number_problem(),
            listeners=[Crash(60)],
            evaluators=factory(ComparisonKind.EXACT),
        )
    made.clear()
    resume(tmp_path / "run", evaluators=factory(ComparisonKind.EXACT))
    assert made == [Counted.name]
    made.clear()
    assert replay(tmp_path / "run").differences == ()
    assert made == [Counted.name]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        pytest.param(["run"], [Idle.name], id="run", marks=pytest.mark.tier("runs")),
        pytest.param(["check", "--static"], [Idle.name], id="check"),
        pytest.param(
            ["run", "--dry-run", "--model", "any"], [Counted.name, Written.name], id="dry-run"
        ),
        pytest.param(
            ["check", "--static", "--set", "models.main.name=any"],
            [Counted.name, Written.name],
            id="check-with-a-model",
        ),
    ],
)
def test_a_command_makes_them_once(
    words: list[str], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    chosen = (f"operators={','.join(names)}", *QUICK)
    called = call(*words, "order_report", *(part for one in chosen for part in ("--set", one)))
    assert made == names, called
