"""The fold: a long run keeps no more than a short one, and whatever may be named again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from se_agent.engine.journal.folder import stored
from se_agent.engine.search.policies import SequentialRefine
from se_agent.engine.state.population import ELITE
from se_agent.events import GenerationOpened, Selected
from se_agent.values.step import Slot, Step
from se_agent.values.view import View
from tests.engine.runs import events_of, new_state, ran
from tests.fakes import Endless, Step1

POLICIES = (
    "portfolio",
    "random",
    "fixed",
    "best_of_n",
    "sequential_refine",
    "map_elites",
)
STEPS = 100


class Faithful(SequentialRefine):
    """Builds upon the first program that was right, and upon nothing else."""

    def __init__(self, operators: Mapping[str, int], *, seed: int = 0) -> None:
        super().__init__(operators, seed=seed)
        self._first = ""

    def ask(self, view: View) -> Slot | None:
        """Return a slot of that program; of the initial one as long as there is none."""
        parent = view.solutions.get(self._first, view.initial)
        return view.fill(parent.solution, operator=Endless.name)

    def tell(self, step: Step) -> None:
        """Note the first."""
        if not self._first and step.verdict is not None and step.verdict.status == "AC":
            self._first = step.slot.child

    def kept(self) -> list[str]:
        """Return its id, and one that never was."""
        return ["Gen99_Sol_9", self._first]


@pytest.mark.tier("runs")
@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_kept_does_not_grow_with_the_run(tmp_path: Path, policy: str) -> None:
    operators = [Endless.name, Step1.name]
    ended = ran(tmp_path, policy=policy, operators=operators, budget={"evaluations": STEPS})
    events = events_of(ended)
    _, config, _ = stored(Path(ended.run), events)
    state, sizes = new_state(config), []
    for event in events:
        state.apply(event)
        if isinstance(event, GenerationOpened):
            assert state.population is not None
            sizes.append(len(state.population.members))
            assert state.observed.keys() <= state.population.members.keys()
    assert state.spent.proposals > 2 * ELITE
    assert max(sizes) <= ELITE + 8
    assert state.closed >= STEPS


@pytest.mark.tier("runs")
def test_a_policy_may_keep_what_no_view_shows(tmp_path: Path) -> None:
    name = f"{Faithful.__module__}:{Faithful.__name__}"
    ended = ran(tmp_path, policy=name, operators=[Endless.name], budget={"evaluations": STEPS})
    selected = [e for e in events_of(ended) if isinstance(e, Selected)]
    assert len(selected) > 2 * ELITE
    later = {e.parents for e in selected if not e.child.startswith("Gen1_")}
    assert later == {("Gen1_Sol_0",)}
