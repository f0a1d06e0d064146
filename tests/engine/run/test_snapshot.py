"""Where a run stands, kept: it goes on from there, and from nothing that does not fit."""

from __future__ import annotations

import io
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from experiments.bench.steps import PROBLEM, free, plan
from se_agent.config.run_file import Run
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.folder import stored
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run import snapshot
from se_agent.engine.run.snapshot import Snapshots
from se_agent.engine.run.start import resume, start
from se_agent.engine.state.state import State
from se_agent.errors import SandboxError
from se_agent.events import Event, Failed, Selected
from se_agent.protocols import Listener
from se_agent.report.story import Story
from se_agent.report.terminal.live import LiveView, PlainView
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.step import Step
from se_agent.values.view import View
from tests.engine.runs import Crash, factory, new_state, ran
from tests.fakes import number_problem, number_run


class Told:
    """A listener that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[Event] = []

    def on_event(self, event: Event) -> None:
        self.told.append(event)


class Forgetful(Told):
    """A listener that needs no past."""

    def snapshot(self) -> None:
        return None

    def restore(self, past: object) -> None:
        assert past is None


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def broken(results: Path, after: int, *, timed: bool = False) -> Path:
    """Return the folder of a run that broke off."""
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(results, name="broken"),
            problem=number_problem(timed=timed),
            listeners=[Crash(after)],
            evaluators=factory(ComparisonKind.TIMED if timed else ComparisonKind.EXACT),
        )
    return results / "broken"


def folded(run: Path, journal: Journal, *listeners: Listener) -> State:
    """Return where a run stands, of which listeners were told."""
    started, config, _ = stored(run, journal.events())
    state = new_state(config, tokenizer=started.tokenizer)
    for event in journal.events():
        state.apply(event)
        for listener in listeners:
            listener.on_event(event)
    return state


def keep(run: Path) -> int:
    """Keep where a run stands, and return the number of its events."""
    with Journal(run / "run.db") as journal:
        Snapshots(journal).save(folded(run, journal), [])
        return journal.mark()[0]


def gone_on(run: Path, *, timed: bool = False) -> list[Event]:
    """Go on with a run, and return what a listener was told of."""
    seen = Forgetful()
    kind = ComparisonKind.TIMED if timed else ComparisonKind.EXACT
    resume(run, listeners=[seen], evaluators=factory(kind))
    return seen.told


def lines(run: Path) -> list[str]:
    with Journal(run / "run.db", write=False) as journal:
        return canonical(list(journal.events()))


@pytest.mark.tier("runs")
@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("after", [1, 2, 3, 9, 21, 22, 40, 63, 100, 151, 222])
def test_a_run_that_goes_on_from_it_ends_like_one_that_was_never_broken(
    tmp_path: Path, after: int, timed: bool
) -> None:
    whole = Path(ran(tmp_path, timed=timed, name="whole").run)
    run = broken(tmp_path, after, timed=timed)
    kept = keep(run)
    told = gone_on(run, timed=timed)
    assert [line.replace('"broken"', '"whole"') for line in lines(run)] == lines(whole)
    with Journal(run / "run.db", write=False) as journal:
        assert told == list(journal.events(after=kept))


@pytest.mark.tier("runs")
def test_a_long_run_keeps_it_by_itself_and_forgets_it_at_its_end(tmp_path: Path) -> None:
    config = plan(tmp_path, snapshot.EVERY + 60)
    alone = config.memory.model_copy(update={"prior": False})
    config = config.model_copy(update={"memory": alone})
    with pytest.raises(SandboxError, match="gave up"):
        start(config, problem=PROBLEM, listeners=[EnoughAt(config)], evaluators=free)
    (kept,) = snapshot.folder().iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    resume(tmp_path / "run", evaluators=free)
    assert not list(snapshot.folder().iterdir())
    start(config.model_copy(update={"name": "whole"}), problem=PROBLEM, evaluators=free)
    ends = [line.replace('"run"', '"whole"') for line in lines(tmp_path / "run")]
    assert ends == lines(tmp_path / "whole")


class Nothing:
    """A search by somebody else, that asks for nothing."""

    def ask(self, view: View) -> None:
        del view

    def tell(self, step: Step) -> None:
        del step


class EnoughAt:
    """A listener that breaks a run half-way between its last snapshot and its end."""

    def __init__(self, config: Run) -> None:
        self._at = (config.budget.proposals or 0) - 50

    def on_event(self, event: Event) -> None:
        if isinstance(event, Selected) and event.slot == self._at:
            raise SandboxError("the machine gave up")


@pytest.mark.tier("runs")
def test_a_view_knows_what_another_one_has_shown(tmp_path: Path) -> None:
    run, text = broken(tmp_path, 100), io.StringIO()
    view = PlainView(Console(file=io.StringIO()))
    with Journal(run / "run.db") as journal:
        Snapshots(journal).save(folded(run, journal, view), [view])
    other = LiveView(Console(file=text, force_terminal=True, width=100))
    resume(run, listeners=[other], evaluators=factory(ComparisonKind.EXACT))
    with Journal(run / "run.db", write=False) as journal:
        whole = Story.of(journal.events())
    assert other.snapshot().counts() == whole.counts()
    assert other.snapshot().curve == whole.curve


class Noting(Forgetful):
    """A listener that knows how much it was told."""

    def __init__(self, many: int = 0) -> None:
        super().__init__()
        self.many = Counter(told=many)

    def snapshot(self) -> Counter[str]:  # type: ignore[override]
        return self.many

    def restore(self, past: object) -> None:
        assert isinstance(past, Counter)
        self.many = past


def test_listeners_of_one_kind_get_their_own_pasts(tmp_path: Path) -> None:
    run = broken(tmp_path, 40)
    with Journal(run / "run.db") as journal:
        state = folded(run, journal)
        Snapshots(journal).save(state, [Noting(3), Noting(4)])
        taken = Snapshots(journal).load(new_state(stored(run, journal.events())[1]))
    assert taken is not None
    both = [Noting(), Forgetful(), Noting()]
    assert taken.told(both)
    assert [each.many["told"] for each in both if isinstance(each, Noting)] == [3, 4]
    assert not taken.told([Noting(), Noting(), Noting()])


class Unkept(Forgetful):
    """A listener whose past is no data."""

    def snapshot(self) -> Callable[[], None]:  # type: ignore[override]
        return lambda: None


def test_an_older_one_stays_where_a_newer_one_cannot_be_written(tmp_path: Path) -> None:
    run = broken(tmp_path, 40)
    kept = keep(run)
    with Journal(run / "run.db") as journal:
        _, config, _ = stored(run, journal.events())
        Snapshots(journal).save(new_state(config), [Unkept()])
        taken = Snapshots(journal).load(new_state(config))
    assert taken is not None
    assert taken.row == kept


@pytest.mark.tier("runs")
def test_a_listener_that_needs_the_whole_past_is_told_all_of_it(tmp_path: Path) -> None:
    run = broken(tmp_path, 40)
    keep(run)

    plain, forgetful = Told(), Forgetful()
    resume(run, listeners=[forgetful, plain], evaluators=factory(ComparisonKind.EXACT))
    with Journal(run / "run.db", write=False) as journal:
        assert plain.told == forgetful.told == list(journal.events())


def torn(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:-7])


def changed(kept: Path) -> None:
    """Leave it a pickle, of another program."""
    data = kept.read_bytes()
    assert data.count(b"Gen0_Sol_0")
    kept.write_bytes(data.replace(b"Gen0_Sol_0", b"Gen0_Sol_8"))


def of_other_code(kept: Path) -> None:
    head, _, body = kept.read_bytes().partition(b"\n")
    said = {**json.loads(head), "code": "0" * 64}
    kept.write_bytes(json.dumps(said).encode() + b"\n" + body)


def without_sense(kept: Path) -> None:
    kept.write_bytes(b"[]\n")


def that_others_may_write(kept: Path) -> None:
    kept.chmod(0o666)


def in_a_folder_of_all(kept: Path) -> None:
    kept.parent.chmod(0o777)


def in_a_folder_elsewhere(kept: Path) -> None:
    place = kept.parent.rename(kept.parent.with_name("elsewhere"))
    kept.parent.symlink_to(place)


def below_a_folder_of_all(kept: Path) -> None:
    kept.parent.parent.chmod(0o777)


def behind_a_link(kept: Path) -> None:
    kept.rename(kept.with_suffix(".other"))
    kept.symlink_to(kept.with_suffix(".other"))


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    "spoil",
    [
        torn,
        changed,
        of_other_code,
        without_sense,
        that_others_may_write,
        in_a_folder_of_all,
        in_a_folder_elsewhere,
        below_a_folder_of_all,
        behind_a_link,
    ],
)
def test_one_that_does_not_fit_is_passed_over(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    run = broken(tmp_path, 40)
    keep(run)
    (kept,) = snapshot.folder().iterdir()
    spoil(kept)
    told = gone_on(run)
    with Journal(run / "run.db", write=False) as journal:
        assert told == list(journal.events())


@pytest.mark.tier("runs")
def test_a_copy_that_went_another_way_is_told_all_of_its_own(tmp_path: Path) -> None:
    run = broken(tmp_path, 40)
    shutil.copytree(run, tmp_path / "copy")
    with Journal(run / "run.db") as journal:
        journal.append(Failed(message="another way"))
    keep(run)
    with Journal(tmp_path / "copy" / "run.db") as journal:
        journal.append(Failed(message="my way"))
    told = gone_on(tmp_path / "copy")
    assert told[0].kind == "started"


def test_what_a_plug_in_knows_is_not_kept(tmp_path: Path) -> None:
    run = broken(tmp_path, 40)
    with Journal(run / "run.db") as journal:
        Snapshots(journal).save(State(policy=Nothing(), memory=None), [])
    assert not snapshot.folder().exists()


@pytest.mark.tier("runs")
def test_an_account_without_a_home_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    run = broken(tmp_path, 40)
    keep(run)
    assert gone_on(run)[0].kind == "started"


def test_the_oldest_go_first(tmp_path: Path) -> None:
    run = broken(tmp_path, 40)
    keep(run)
    (kept,) = snapshot.folder().iterdir()
    for number in range(snapshot.RUNS + 5):
        other = kept.with_name(f"{number}{kept.suffix}")
        other.touch()
        os.utime(other, (number, number))
    keep(run)
    left = {path.stem for path in snapshot.folder().iterdir()}
    assert left == {kept.stem, *(str(n) for n in range(6, snapshot.RUNS + 5))}
