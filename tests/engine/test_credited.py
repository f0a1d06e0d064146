"""What a run's slots are told of the changes that were tried, live and after a break."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.events import Event, Learned, Selected
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.memory_context import Believed
from se_agent.values.solution import Edit
from se_agent.values.step import Slot
from se_agent.values.view import View
from tests.engine.runs import events_of, factory
from tests.engine.test_combined_edits import NAMED, PROBLEM
from tests.fakes import number_run

LAST: list[Mapping[Edit, Believed] | None] = []


class Told:
    """Asks for the changes of the initial program one by one, and notes what it is told."""

    def __init__(self, operators: Mapping[str, int], *, seed: int = 0) -> None:
        LAST.clear()

    def ask(self, view: View) -> Slot | None:
        """Return the first change that is left."""
        LAST.append(None if view.advice.believed is None else view.advice.believed())
        offers = view.offers(view.initial.solution)
        found = next((name for name, each in offers.items() if each), None)
        return view.fill(view.initial.solution, operator=found) if found else None

    def tell(self, step: object) -> None:
        """Learn nothing."""


def told(
    tmp_path: Path, kind: ComparisonKind, **keys: object
) -> list[Mapping[Edit, Believed] | None]:
    config = number_run(tmp_path, **{**NAMED, **keys}, policy=f"{__name__}:Told")
    start(config, problem=PROBLEM, evaluators=factory(kind))
    return LAST[:]


def test_a_slot_is_told_what_all_closed_steps_say(tmp_path: Path) -> None:
    seen = told(tmp_path, ComparisonKind.TIMED)
    sizes = [len(one) for one in seen if one is not None]
    assert sizes[0] == 0
    assert max(sizes) == 6
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("kind", "keys"),
    [(ComparisonKind.EXACT, {}), (ComparisonKind.TIMED, {"memory": {"enabled": False}})],
    ids=["scores do not add up", "memory is off"],
)
def test_nothing_is_believed(
    tmp_path: Path, kind: ComparisonKind, keys: Mapping[str, object]
) -> None:
    assert set(map(type, told(tmp_path, kind, **keys))) == {type(None)}


class Breaking:
    """Breaks a run after some lessons."""

    def __init__(self, left: int) -> None:
        self._left = left

    def on_event(self, event: Event) -> None:
        """Give up when enough was learned."""
        self._left -= isinstance(event, Learned)
        if not self._left:
            raise SandboxError("the machine gave up")


@pytest.mark.tier("runs")
@pytest.mark.parametrize("left", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("schedule", ["steady", "generation"])
def test_a_run_that_was_broken_off_asks_for_the_same_unions(
    tmp_path: Path, schedule: str, left: int
) -> None:
    def unions(events: list[Event]) -> list[tuple[int, tuple[Edit, ...]]]:
        return [(e.slot, e.edits) for e in events if isinstance(e, Selected)]

    keys = {**NAMED, "schedule": schedule}
    whole = start(
        number_run(tmp_path, **keys), problem=PROBLEM, evaluators=factory(ComparisonKind.TIMED)
    )
    assert not replay(Path(whole.run)).differences
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, **keys, name="broken"),
            problem=PROBLEM,
            listeners=[Breaking(left)],
            evaluators=factory(ComparisonKind.TIMED),
        )
    resumed = resume(tmp_path / "broken", evaluators=factory(ComparisonKind.TIMED))
    assert unions(events_of(resumed)) == unions(events_of(whole))
    assert any(len(edits) > 1 for _, edits in unions(events_of(whole)))
