"""Runs in which several changes are made together: recorded, resumed and replayed as others."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from operators.editing.edits import Candidate, Editing
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.events import Event, Proposed, Selected
from se_agent.program.language import Language
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.solution import Edit
from tests.engine.runs import events_of, factory
from tests.fakes import number_problem, number_run


class Raising(Editing):
    """Makes one of the numbers of a program a one."""

    name = "tests.engine.test_combined_edits:Raising"
    language = Language.PYTHON

    def candidates(self, text: str, *, editable: str = "") -> tuple[Candidate, ...]:
        """Return a text for each zero."""
        zeros = [line.partition(" ")[0] for line in text.splitlines() if line.endswith("= 0")]
        return tuple(
            Candidate(
                text=text.replace(f"{name} = 0", f"{name} = 1"),
                edit=Edit(rule=self.name, function=name, node=name),
                direction=f"Raise {name}",
                effect="one more",
            )
            for name in zeros
        )


PROBLEM = dataclasses.replace(
    number_problem(), programs={"initial": "".join(f"{name} = 0\n" for name in "abcdef")}
)
NAMED = {"operators": [Raising.name, "polish"], "budget": {"evaluations": 12}}


class Broken:
    """Breaks a run right after a union was selected."""

    def on_event(self, event: Event) -> None:
        """Give up."""
        if isinstance(event, Selected) and event.edits:
            raise SandboxError("the machine gave up")


@pytest.fixture
def whole(tmp_path: Path) -> list[Event]:
    config = number_run(tmp_path, **NAMED)
    result = start(config, problem=PROBLEM, evaluators=factory(ComparisonKind.EXACT))
    assert not replay(Path(result.run)).differences
    return events_of(result)


def test_a_union_is_made_of_the_changes_that_were_named(whole: list[Event]) -> None:
    named = {e.child: e.edits for e in whole if isinstance(e, Selected) and e.edits}
    made = {
        e.proposal.solution.id: e.proposal.solution
        for e in whole
        if isinstance(e, Proposed) and e.proposal is not None
    }
    assert named
    for child, edits in named.items():
        assert made[child].operator == "polish"
        assert made[child].edits[-len(edits) :] == edits
        assert all(f"{edit.node} = 1" in made[child].text for edit in edits)


def test_one_that_was_broken_off_there_ends_the_same(
    tmp_path: Path, whole: list[Event]
) -> None:
    config = number_run(tmp_path, **NAMED, name="broken")
    with pytest.raises(SandboxError, match="gave up"):
        start(
            config,
            problem=PROBLEM,
            listeners=[Broken()],
            evaluators=factory(ComparisonKind.EXACT),
        )
    resumed = resume(tmp_path / "broken", evaluators=factory(ComparisonKind.EXACT))
    lines = [line.replace('"broken"', '"run"') for line in canonical(events_of(resumed))]
    assert lines == canonical(whole)


@pytest.mark.tier("runs")
def test_a_run_ends_when_nothing_is_left_to_unite(tmp_path: Path) -> None:
    config = number_run(tmp_path, **{**NAMED, "budget": {"evaluations": 400}})
    result = start(config, problem=PROBLEM, evaluators=factory(ComparisonKind.EXACT))
    assert (result.budget_end, result.score) == ("exhausted", 6)
