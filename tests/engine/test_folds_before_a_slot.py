"""Operators find the pictures of folds wherever they are asked: in dry runs, and for offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.chat.messages import Message
from se_agent.config.run_file import parse
from se_agent.engine.run.dry_run import first_requests
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.engine.search.search_space import offered, reachable
from se_agent.events import Event, Learned
from se_agent.problem.loading import load_problem
from se_agent.values.brief import Brief
from se_agent.values.step import Proposal
from tests.contracts.fold import FoldContract
from tests.engine.runs import ran
from tests.engine.talking import Mutation
from tests.fakes import Endless
from tests.finished import events as finished_events

shown: list[object] = []


class Closed:
    """A fold that counts closed steps."""

    reads = (Learned,)

    def __init__(self) -> None:
        self._closed = 0

    def apply(self, event: Event) -> None:
        self._closed += 1

    def at(self, slot: int) -> int:
        return self._closed


FOLD = f"{__name__}:Closed"


class Written(Mutation):
    """A model-written operator that tells its model what the fold shows."""

    name = f"{__name__}:Written"

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        return (Message("user", f"closed: {brief.folds[FOLD]}"),)


class Offering(Endless):
    """An operator that cannot tell what it offers before it has seen the fold."""

    name = f"{__name__}:Offering"

    def offers(self, brief: Brief) -> None:
        shown.append(brief.folds[FOLD])

    def propose(self, brief: Brief) -> Proposal | None:
        shown.append(brief.folds[FOLD])
        return super().propose(brief)


class TestClosed(FoldContract):
    @pytest.fixture
    def fold(self) -> Closed:
        return Closed()

    @pytest.fixture
    def events(self) -> tuple[Event, ...]:
        return finished_events(timed=False)


def resolved(*settings: str) -> ResolvedRun:
    chosen = parse("order_report", [f"folds={FOLD}", *settings])
    return ResolvedRun.of(chosen, load_problem("order_report"))


def test_a_dry_run_shows_those_of_a_run_that_has_not_begun() -> None:
    (request,) = first_requests(resolved(f"operators={Written.name}", "models.main.name=any"))
    assert request.messages == (Message("user", "closed: 0"),)


def test_a_check_counts_what_operators_make_of_them() -> None:
    shown.clear()
    run = resolved(f"operators={Offering.name}")
    assert offered(run.first_brief, run.rules)
    assert reachable(run.first_brief, run.rules, cap=3).candidates == 3
    assert {*shown} == {0}


def test_offers_are_made_of_what_the_slot_will_see(tmp_path: Path) -> None:
    shown.clear()
    ran(tmp_path, operators=[Offering.name], folds=[FOLD])
    assert shown == sorted(shown, key=lambda each: int(str(each)))
    assert len({*shown}) > 5
