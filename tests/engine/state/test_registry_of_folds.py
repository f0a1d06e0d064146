"""The registry of folds: its order, who is told what, and folds that a package brings."""

from __future__ import annotations

import importlib
import pickle
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from se_agent.config.fold_names import FOLDS_OF_THE_ENGINE
from se_agent.config.run_file import Run
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.folder import stored
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.knock_outs import KnockOuts
from se_agent.engine.run.replay import replay
from se_agent.engine.run.snapshot import Snapshots, code_of
from se_agent.engine.run.start import resume, start
from se_agent.engine.search.policies import BestOfN
from se_agent.engine.state.state import State
from se_agent.errors import ConfigError, FoldError, SandboxError, UnknownPluginError
from se_agent.events import Event, Failed, Learned, Resumed, Selected, Started, adapter
from se_agent.protocols import Fold
from se_agent.values.brief import Brief
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.step import Proposal
from tests.contracts.fold import FoldContract, late
from tests.engine.runs import Crash, events_of, factory, new_state, ran
from tests.fakes import Endless, Step1, number_problem, number_run

PACKAGE = '''
"""A fold of somebody else: which operators brought a gain, in closed steps."""

from se_agent.events import Learned, Selected

LAST = []  # the fold that was moved on last, and what it showed


class Gains:
    reads = (Selected, Learned)

    def __init__(self):
        self.operators, self.gains = {}, ()

    def apply(self, event):
        LAST[:] = [self]
        if isinstance(event, Selected):
            self.operators[event.slot] = event.operator
        elif name := self.operators.pop(event.slot, ""):
            if (event.effect or 0) > 0:
                self.gains = (*self.gains, (event.slot, name))

    def at(self, slot):
        return self.gains


class Silly(Gains):
    reads = (int,)


class Bare(Gains):
    reads = Learned


class Torn(Gains):
    def apply(self, event):
        if isinstance(event, Learned) and event.slot == 2:
            raise KeyError("gains")
'''
POINTS = """[se_agent.folds]
gains = gains_of_others:Gains
silly = gains_of_others:Silly
bare = gains_of_others:Bare
torn = gains_of_others:Torn
"""
shown: dict[int, object] = {}


class Looking(Endless):
    """An operator that keeps what it is shown."""

    name = f"{__name__}:Looking"

    def propose(self, brief: Brief) -> Proposal | None:
        shown[brief.slot.number] = brief.folds["gains"]
        return super().propose(brief)


class Noting:
    """A fold that tells a list what it was told."""

    reads = (Started, Selected)

    def __init__(self, name: str, told: list[tuple[str, str]]) -> None:
        self._name = name
        self._told = told

    def apply(self, event: Event) -> None:
        self._told.append((self._name, event.kind))


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """Return the events of a run without a fold of others."""
    results = tmp_path_factory.mktemp("results")
    return events_of(ran(results, operators=[Endless.name, Step1.name]))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Install a package with folds; what it kept and showed is forgotten after the test."""
    site = tmp_path / "site"
    record = site / "gains_of_others-1.0.dist-info"
    record.mkdir(parents=True)
    (site / "gains_of_others.py").write_text(PACKAGE)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: gains-of-others\nVersion: 1")
    (record / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield importlib.import_module("gains_of_others")
    sys.modules.pop("gains_of_others")
    shown.clear()


def run_file(results: Path, **changes: object) -> Run:
    given = {"folds": ["gains"], "operators": [Looking.name, Step1.name]}
    return number_run(results, **given | changes)


def done(config: Run) -> list[Event]:
    started = start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
    return events_of(started)


def broken(results: Path, after: int) -> Path:
    with pytest.raises(SandboxError, match="gave up"):
        start(
            run_file(results, name="broken"),
            problem=number_problem(),
            listeners=[Crash(after)],
            evaluators=factory(ComparisonKind.EXACT),
        )
    return results / "broken"


def keep(run: Path) -> int:
    """Keep where a run stands; return the number of its events that are in it."""
    with Journal(run / "run.db") as journal:
        _, config, _ = stored(run, journal.events())
        state = new_state(config)
        for event in journal.events():
            state.apply(event)
        Snapshots(journal).save(state, [])
        taken = Snapshots(journal).load(new_state(config))
        return taken.row if taken else 0


class TestOurs:
    def test_their_order_is_the_one_that_is_written_down(self, tmp_path: Path) -> None:
        assert tuple(new_state(number_run(tmp_path)).folds) == FOLDS_OF_THE_ENGINE

    def test_each_event_goes_to_those_that_read_its_kind_in_order(
        self, events: Sequence[Event]
    ) -> None:
        told: list[tuple[str, str]] = []
        outside = {name: Noting(name, told) for name in ("later", "earlier")}
        state = State(policy=BestOfN({}), memory=None, outside=outside)
        for event in events[:20]:
            state.apply(event)
        kinds = [event.kind for event in events[:20] if isinstance(event, Noting.reads)]
        assert told == [(name, kind) for kind in kinds for name in outside]

    def test_what_a_slot_sees_does_not_depend_on_the_order_of_open_stages(
        self, events: Sequence[Event], tmp_path: Path
    ) -> None:
        found = []
        for order in (events, late(events)):
            state, seen = new_state(number_run(tmp_path)), {}
            for event in order:
                state.apply(event)
                if isinstance(event, Selected):
                    seen[event.slot] = state.open[event.slot].past
            found.append(seen)
        assert found[0] == found[1]
        assert len(found[0]) > 20

    def test_a_registry_that_was_kept_goes_on_at_any_event(
        self, events: Sequence[Event], tmp_path: Path
    ) -> None:
        state = new_state(number_run(tmp_path, memory={"enabled": False}))
        for number, event in enumerate(events):
            if number % 20 == 0:
                state = pickle.loads(pickle.dumps(state))
            state.apply(event)
        assert state.ended is not None
        assert state.closed == sum(isinstance(event, Learned) for event in events)

    def test_an_event_of_no_interest_changes_nothing(self, tmp_path: Path) -> None:
        state = new_state(number_run(tmp_path))
        state.apply(adapter.validate_python({"kind": "failed", "message": "it broke"}))
        assert state.started is None

    def test_all_folds_are_told_alike_that_a_search_goes_on(
        self, events: Sequence[Event], tmp_path: Path
    ) -> None:
        for key, reopened in (("budget.calls", True), ("workers", False)):
            state = new_state(number_run(tmp_path))
            for event in events:
                state.apply(event)
            state.apply(Resumed(cpu_seconds=1.0, wall_seconds=1.0, settings={key: 9}))
            assert state.reopened is reopened
            assert (state.ended is None) is reopened
            assert bool(state.passed) is reopened

    def test_a_trial_that_was_broken_off_keeps_its_number(
        self, events: Sequence[Event], tmp_path: Path
    ) -> None:
        state = new_state(number_run(tmp_path))
        for event in events:
            state.apply(event)
        recorded = len(state.trimmed)
        settings = {"budget.calls": 9}
        state.apply(Resumed(cpu_seconds=1.0, wall_seconds=1.0, settings=settings))
        assert (state.trials, len(state.trimmed)) == (recorded + 1, 0)


class TestOfOthers(FoldContract):
    @pytest.fixture
    def fold(self, package: ModuleType) -> Fold:
        made: Fold = package.Gains()
        return made


class TestARunWithOne:
    @pytest.mark.tier("runs")
    def test_slots_are_shown_the_same_whoever_is_faster(
        self, package: ModuleType, tmp_path: Path
    ) -> None:
        found = []
        for workers in (1, 8):
            config = run_file(tmp_path, name=f"run{workers}", workers=workers)
            lines = canonical(done(config))
            found.append((dict(shown), package.LAST[0].gains, lines[1:]))
        assert found[0] == found[1]
        assert any(found[0][0].values())

    @pytest.mark.tier("runs")
    def test_its_value_is_the_same_after_a_resume_and_a_replay(
        self, package: ModuleType, tmp_path: Path
    ) -> None:
        events = done(run_file(tmp_path))
        value, seen = package.LAST[0].gains, dict(shown)
        assert value
        for after, kept in ((60, False), (60, True), (130, True)):
            results = tmp_path / f"{after}{kept}"
            run = broken(results, after)
            row = keep(run) if kept else 0
            assert bool(row) is kept
            package.LAST.clear()
            resume(run, evaluators=factory(ComparisonKind.EXACT))
            assert (package.LAST[0].gains, shown) == (value, seen)
        package.LAST.clear()
        shown.clear()
        assert replay(tmp_path / "run").differences == ()
        assert (package.LAST[0].gains, shown) == (value, seen)
        assert len(events) > 130

    def test_a_snapshot_of_another_version_of_it_is_another_one(
        self, package: ModuleType
    ) -> None:
        before = code_of((package.__name__,))
        path = Path(str(package.__file__))
        path.write_text(f"{path.read_text()}# a later version\n")
        assert code_of((package.__name__,)) != before

    @pytest.mark.usefixtures("package")
    def test_one_that_fails_is_named_and_the_run_is_kept(self, tmp_path: Path) -> None:
        config = run_file(tmp_path, folds=["torn"], operators=[Endless.name], name="run")
        told = "^fold 'torn' failed: KeyError: 'gains'$"
        with pytest.raises(FoldError, match=told) as caught:
            done(config)
        assert "in apply" in caught.value.said
        with pytest.raises(FoldError, match=told):  # neither its events nor its folder
            resume(tmp_path / "run", evaluators=factory(ComparisonKind.EXACT))
        with Journal(tmp_path / "run" / "run.db", write=False) as journal:
            (failed,) = journal.events(kinds=["failed"])
        assert isinstance(failed, Failed)
        assert failed.message == "fold 'torn' failed: KeyError: 'gains'"

    @pytest.mark.tier("runs")
    @pytest.mark.usefixtures("package")
    def test_one_that_fails_for_good_is_left_out_and_the_run_goes_on(
        self, tmp_path: Path
    ) -> None:
        keys = {"operators": [Endless.name, Step1.name], "name": "run"}
        whole = done(run_file(tmp_path / "whole", folds=[], **keys))
        with pytest.raises(FoldError, match="'torn' failed") as caught:
            done(run_file(tmp_path, folds=["gains", "torn"], **keys))
        assert "--set folds=" in caught.value.hint
        run = tmp_path / "run"
        sys.path.remove(str(tmp_path / "site"))  # the package is not even there any more
        resumed = resume(run, evaluators=factory(ComparisonKind.EXACT), overrides=["folds="])
        assert canonical(events_of(resumed))[1:] == canonical(whole)[1:]
        again = replay(run)
        assert again.differences == ()
        assert again.without == ("fold 'gains'", "fold 'torn'")
        assert KnockOuts(run).edits
        resume(run, evaluators=factory(ComparisonKind.EXACT))

    @pytest.mark.usefixtures("package")
    @pytest.mark.parametrize(
        ("folds", "why"),
        [("gains,torn", "'torn' would be new"), ("silly,gains", "'silly' would be new")],
    )
    def test_none_can_be_added_to_a_run_that_goes_on(
        self, tmp_path: Path, folds: str, why: str
    ) -> None:
        told = f"--set folds: names can only be left out: {why}"
        with pytest.raises(ConfigError, match=told) as caught:
            resume(broken(tmp_path, 60), overrides=[f"folds={folds}"])
        assert caught.value.hint == "the run has gains"

    @pytest.mark.usefixtures("package")
    def test_one_that_is_not_there_any_more_is_named(self, tmp_path: Path) -> None:
        run = broken(tmp_path, 60)
        sys.path.remove(str(tmp_path / "site"))  # the package's fixture puts all back
        with pytest.raises(UnknownPluginError, match="unknown fold 'gains'"):
            resume(run, evaluators=factory(ComparisonKind.EXACT))


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("name", "error", "told"),
    [
        ("gain", UnknownPluginError, "gain"),
        ("silly", ConfigError, "fold 'silly' reads what is no event"),
        ("bare", ConfigError, "fold 'bare' reads what is no event"),
        ("os:getcwd", ConfigError, "what it makes has no reads, apply"),
    ],
)
def test_what_is_no_fold_is_refused(
    tmp_path: Path, name: str, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        new_state(run_file(tmp_path, folds=[name]))
