"""What processes that we start see of our environment: nothing that may be a secret."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from evaluators.languages.tool import installed
from evaluators.sandbox.server.container import launcher
from evaluators.sandbox.server.start import Direct
from operators.known_functions.apart import ComparisonProcess
from se_agent.environment.child_process import CONTAINERS, USUAL, environment
from se_agent.environment.process_files import SELF, children, command_words, process_text
from se_agent.errors import IsolationError
from se_agent.program.language import Language

PLANTED = {
    "OPENAI_API_KEY": "sk-planted-1",
    "AWS_SECRET_ACCESS_KEY": "planted-2",
    "GITHUB_TOKEN": "ghp_planted-3",
    "DATABASE_URL": "postgres://user:planted-4@host/base",
    "HTTPS_PROXY": "http://user:planted-5@proxy:3128",
    "https_proxy": "http://user:planted-6@proxy:3128",
    "DOCKER_AUTH_CONFIG": '{"auths": {"host": {"auth": "planted-7"}}}',
    "A_NAME_THAT_NOBODY_KNOWS": "planted-8",
    "LC_OF_MINE": "planted-9",
    "GIT_ASKPASS": "planted-10",
}


@pytest.fixture
def noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Secrets in our environment, and programs in PATH that note what they are given here."""
    note, folder = tmp_path / "noted", tmp_path / "bin"
    folder.mkdir()
    for name in ("docker", "g++", "git", "podman"):
        program = folder / name
        program.write_text(f"#!/bin/sh\nenv >> '{note}'\nexit 1\n", encoding="utf-8")
        program.chmod(0o755)
    for name, value in PLANTED.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return note


def environment_of(pid: int) -> str:
    return process_text(pid, "environ")


def test_of_a_fork_server_nothing_is_told(noted: Path) -> None:
    server = Direct().start()
    try:
        assert "planted" not in environment_of(server.pid)
    finally:
        server.kill()
        server.wait()
        server.control.close()


def test_the_process_that_compares_has_no_secret(noted: Path) -> None:
    apart = ComparisonProcess()
    assert apart.matches(()) is not None
    ours = [
        pid
        for pid in children(SELF)
        if "operators.known_functions.apart" in " ".join(command_words(pid))
    ]
    assert ours
    assert not any("planted" in environment_of(pid) for pid in ours)


def test_a_compiler_that_is_asked_for_its_version_has_no_secret(noted: Path) -> None:
    assert installed(Language.CPP) is not None
    assert "planted" not in noted.read_text(encoding="utf-8")
    assert "PATH=" in noted.read_text(encoding="utf-8")


@pytest.mark.parametrize("client", ["docker", "podman"])
def test_who_starts_containers_has_no_secret(noted: Path, client: str) -> None:
    with contextlib.suppress(IsolationError):
        launcher((), (client,))
    assert "planted" not in noted.read_text(encoding="utf-8")


def test_only_names_that_are_asked_for_are_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in PLANTED.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/lib/of/mine")
    monkeypatch.setenv("DOCKER_HOST", "unix:///run/mine")
    assert environment() == {"LD_LIBRARY_PATH": "/lib/of/mine"}
    assert environment(("PATH",), MORE="1").keys() == {"LD_LIBRARY_PATH", "PATH", "MORE"}
    both = environment(USUAL + CONTAINERS)
    assert both["DOCKER_HOST"] == "unix:///run/mine"
    assert not set(both) & set(PLANTED)
