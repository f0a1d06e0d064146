"""What the machine offers is found by trying, and what it lacks is said with its price."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evaluators.sandbox.isolation import landlock, seccomp
from evaluators.sandbox.server import probe
from evaluators.sandbox.server.probe import Feature, Isolation
from se_agent.errors import IsolationError


def isolation(*, landlock: bool, namespaces: bool) -> Isolation:
    return Isolation(
        features=(
            Feature(name="landlock", available=landlock, detail="", cost="files", needed=True),
            Feature(name="namespaces", available=namespaces, detail="", cost="threads"),
        )
    )


@pytest.mark.parametrize(
    ("found", "level"),
    [
        (isolation(landlock=True, namespaces=True), "jail"),
        (isolation(landlock=True, namespaces=False), "jail"),
        (isolation(landlock=False, namespaces=True), "none"),
    ],
)
def test_level_depends_on_what_is_needed_only(found: Isolation, level: str) -> None:
    assert found.level == level


def test_require_names_what_is_missing_its_cost_and_the_way_out() -> None:
    found = isolation(landlock=False, namespaces=True)
    with pytest.raises(IsolationError, match="no landlock here: files") as caught:
        probe.require("jail", found)
    assert "sandbox.isolation=none" in caught.value.hint
    probe.require("none", found)


def test_every_feature_says_what_it_costs_to_lack() -> None:
    assert all(feature.name and feature.cost for feature in probe.probe().features)


def run(program: str) -> str:
    """Run a program that locks itself up, and return what it prints."""
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.mark.skipif(not landlock.version(), reason="the kernel has no Landlock")
def test_landlock_grants_what_was_named_and_nothing_else(tmp_path: Path) -> None:
    seen, hidden = tmp_path / "seen", tmp_path / "hidden"
    for folder in (seen, hidden):
        folder.mkdir()
        (folder / "file").write_text(folder.name)
    program = f"""
from evaluators.sandbox.isolation import landlock
from evaluators.sandbox.isolation.kernel import PR_SET_NO_NEW_PRIVS, prctl
prctl(PR_SET_NO_NEW_PRIVS, 1)
landlock.restrict([{str(seen)!r}])
def tried(path, mode="r"):
    try: return len(open(path, mode).read()) if mode == "r" else open(path, mode) and 1
    except OSError as err: return err.errno
seen, hidden = {str(seen)!r}, {str(hidden)!r}
print(tried(seen + "/file"), tried(hidden + "/file"), tried(seen + "/new", "w"))
"""
    assert run(program) == f"{len(seen.name)} 13 13"


@pytest.mark.skipif(not seccomp.supported(), reason="no table for this machine")
def test_the_child_gives_up_what_the_server_kept() -> None:
    program = """
import os
from evaluators.sandbox.isolation import seccomp
from evaluators.sandbox.isolation.kernel import PR_SET_NO_NEW_PRIVS, prctl
def tried(call):
    try: return call() and "did"
    except OSError as err: return err.errno
def fork():
    pid = os.fork()
    if not pid: os._exit(0)
    return os.waitpid(pid, 0)
prctl(PR_SET_NO_NEW_PRIVS, 1)
seccomp.server_filter().install()
before = tried(fork), tried(lambda: os.kill(os.getpid(), 0) or True)
seccomp.child_filter().install()
print(*before, tried(fork), tried(lambda: os.getpid()))
"""
    assert run(program) == "did 1 1 did"
