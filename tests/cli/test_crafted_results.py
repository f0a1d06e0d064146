"""Results folders of a stranger: two lines or a clean reading, and nothing outside touched."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from tests.cli.calls import Called, call, two_lines
from tests.cli.crafted_runs import CRAFTED, event, linked
from tests.finished import finished

COMMANDS = (
    ("ls", "--results", "."),
    ("show", "run"),
    ("show", "run", "--all"),
    ("show", "run", "--calls"),
    ("diff", "run"),
    ("rollback", "run"),
    ("replay", "run"),
    ("tell", "run", "sort first"),
    ("resume", "run"),
)
SECRET = "a file that belongs to somebody else\n"
HANGS = 120  # seconds on the wall, after which a command that waits is ended


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, of two generations."""
    budget = {"evaluations": 10}
    return finished(tmp_path_factory.mktemp("whole"), timed=True, budget=budget)


@pytest.fixture
def home(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a copy of the run in it."""
    place = tmp_path / "home"
    shutil.copytree(whole, place / "run")
    monkeypatch.chdir(place)
    return place


@pytest.fixture(autouse=True)
def _guarded() -> Iterator[None]:
    """End what hangs: a pipe would keep us for ever."""

    def hangs(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(HANGS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def ends_well(called: Called) -> bool:
    """Say whether a command read the folder, or said in two lines why it cannot."""
    told = called.err.splitlines()
    errors = [line for line in told if line.startswith("error: ")]
    clean = "\x1b" not in called.out + called.err and "Traceback" not in called.err
    if called.code != 2:
        return clean and called.code in (0, 1) and not errors
    return clean and len(errors) == 1 and told[-1].startswith("hint:  ")


@pytest.mark.parametrize("name", CRAFTED)
def test_a_crafted_folder_is_read_or_refused(home: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.write_text(SECRET, encoding="utf-8")
    CRAFTED[name](home / "run", outside)
    begun = time.process_time()
    ended = {" ".join(words): call(*words) for words in COMMANDS}
    seconds = time.process_time() - begun
    assert [words for words, called in ended.items() if not ends_well(called)] == [], ended
    assert SECRET.strip() not in "".join(one.out + one.err for one in ended.values())
    assert outside.read_text(encoding="utf-8") == SECRET
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "outside"]
    assert seconds < 10 * len(COMMANDS)


@pytest.mark.usefixtures("home")
class TestUnread:
    """An event that cannot be read is named, and the rest is shown."""

    @pytest.mark.parametrize("command", [("show", "run"), ("ls", "--results", ".")])
    def test_who_reads_goes_on_without_it(self, home: Path, command: tuple[str, ...]) -> None:
        before = call("show", "run").out
        event("{", "told\n\x1b[2J")(home / "run", home)
        called = call(*command)
        assert called.code == 0
        assert "(told [2J) cannot be read, and is left out: Invalid JSON" in called.out
        assert "proven" in called.out
        if command[0] == "show":
            assert before in called.out

    @pytest.mark.parametrize("command", ["resume", "replay", "rollback"])
    def test_who_needs_all_of_them_refuses(self, home: Path, command: str) -> None:
        event("{", "told")(home / "run", home)
        error, hint = two_lines(call(command, "run"))
        assert "cannot be read: event " in error
        assert hint.startswith("restore it from a copy")


def test_a_linked_lock_is_left_alone(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text(SECRET, encoding="utf-8")
    linked("run.lock")(home / "run", outside)
    error, _ = two_lines(call("resume", "run"))
    assert "cannot be locked: it is a link" in error
    assert outside.read_text(encoding="utf-8") == SECRET


@pytest.mark.parametrize("name", ["run.db", "run.db-wal"])
def test_a_linked_memory_is_refused(home: Path, name: str) -> None:
    place = home / name.replace("run.db", "memory.db")
    place.symlink_to(home / "run" / "run.db")
    if name == "run.db-wal":
        (home / "memory.db").touch()
    called = call("memory", "--results", ".")
    assert ends_well(called)
    assert "is a link" in called.err
