"""LocalMemory out of a journal: after each event it is what the engine itself holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any  # a setting may have any value

import pytest

from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.run_tables.columns import names_of
from se_agent.analysis.run_tables.local_versions import LocalVersions
from se_agent.chat.events import RolledBack, Told
from se_agent.engine.journal.folder import stored
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.engine.run.rollback import roll_back
from se_agent.engine.run.start import resume, start
from se_agent.engine.run.user_hints import tell
from se_agent.errors import SandboxError
from se_agent.events import Event, Learned, Resumed, Started, Trimmed
from se_agent.memory_events import Recalled
from se_agent.values.evaluation import ComparisonKind
from tests.analysis.arms import run_in
from tests.engine.runs import Crash, factory
from tests.engine.step.test_minimise import Leap, leapt
from tests.engine.talking import run_file
from tests.fakes import NumberEvaluator, number_problem, number_run
from tests.finished import recorded
from tests.memory.experience.journals import finished


def differences(folder: Path) -> Iterator[str]:
    """Fold a journal twice, and yield where the two memories differ."""
    events = list(recorded(folder))
    started, config, problem = stored(folder, events)
    state = ResolvedRun.of(config, problem, tokenizer=started.tokenizer).new_state()
    found = LocalVersions.of(started)
    assert found is not None
    for number, event in enumerate(events, 1):
        state.apply(event)
        found.apply(event)
        assert state.memory is not None
        if found.now.state() != state.memory.local.state():
            yield f"event {number}: {event.kind}: what memory holds"
        if state.seen is not None and found.asked_with != state.seen.local.version:
            yield f"event {number}: {event.kind}: what slots are asked with"


def kinds(folder: Path) -> set[type[Event]]:
    return {type(event) for event in recorded(folder)}


SMALL: dict[str, Any] = {"memory": {"prior": False, "local": {"token_limit": 120}}}
FEW: dict[str, Any] = {"memory": {"prior": False, "local": {"directions_limit": 2}}}


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("timed", "settings"),
    [
        (True, {}),
        (False, {}),
        (False, {"schedule": "steady", "workers": 2}),
        (True, SMALL),
        (False, SMALL | {"schedule": "steady"}),
        (True, FEW),
    ],
)
def test_it_is_the_memory_of_the_engine_after_each_event(
    tmp_path: Path, timed: bool, settings: dict[str, Any]
) -> None:
    folder = run_in(tmp_path, "run", timed=timed, **settings)
    assert Learned in kinds(folder)
    assert list(differences(folder)) == []


def test_models_that_are_asked_change_nothing(tmp_path: Path) -> None:
    found = start(
        run_file(tmp_path, budget={"evaluations": 12}),
        problem=number_problem(),
        evaluators=lambda *_: NumberEvaluator(ComparisonKind.EXACT),
    )
    assert list(differences(Path(found.run))) == []


@pytest.mark.tier("runs")
def test_what_a_person_did_is_done_at_its_place(tmp_path: Path) -> None:
    with suppress(SandboxError):
        start(
            number_run(tmp_path),
            problem=number_problem(),
            listeners=[Crash(60)],
            evaluators=factory(ComparisonKind.EXACT),
        )
    folder = tmp_path / "run"
    roll_back(folder, 2)
    tell(folder, "use a table")
    resume(folder, evaluators=factory(ComparisonKind.EXACT))
    assert {RolledBack, Told} <= kinds(folder)
    assert list(differences(folder)) == []


@pytest.mark.tier("runs")
def test_lessons_of_an_earlier_run_are_told_first(tmp_path: Path) -> None:
    finished(tmp_path, "first")
    folder = Path(finished(tmp_path, "second", experience={"lessons": True}).run)
    assert Recalled in kinds(folder)
    assert list(differences(folder)) == []
    rows = RecordedRun(folder).rows("memory")
    cause = names_of("memory").index("cause")
    assert next(row[cause] for row in rows) == "recalled"


def test_a_search_that_went_on_after_its_end_is_one(tmp_path: Path) -> None:
    folder = Path(leapt(tmp_path, Leap).run)
    resume(
        folder, evaluators=factory(ComparisonKind.TIMED), overrides=["budget.evaluations=16"]
    )
    assert {Trimmed, Resumed} <= kinds(folder)
    assert list(differences(folder)) == []


def test_a_run_without_memory_has_none(tmp_path: Path) -> None:
    off = run_in(tmp_path, "off", memory={"enabled": False, "prior": False})
    started = next(event for event in recorded(off) if isinstance(event, Started))
    assert LocalVersions.of(started) is None
