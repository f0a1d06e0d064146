"""Plug-ins: found by name or path, and never a stranger under our name."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from se_agent import registry
from se_agent.errors import ConfigError, UnknownPluginError
from se_agent.values.lesson import canonical_id

GROUP = "se_agent.policies"
AMONG = [
    EntryPoint("canonical", "se_agent.values.lesson:canonical_id", GROUP),
    EntryPoint("another", "json:JSONDecoder.decode", GROUP),
]


@pytest.mark.parametrize("name", ["canonical", "se_agent.values.lesson:canonical_id"])
def test_a_plugin_is_found_by_name_and_by_path(name: str) -> None:
    assert registry.load("policy", name, among=AMONG) is canonical_id


def test_an_attribute_may_be_dotted() -> None:
    import json

    assert registry.load("policy", "another", among=AMONG) is json.JSONDecoder.decode


def test_names_are_sorted() -> None:
    assert registry.names("policy", among=AMONG) == ("another", "canonical")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        pytest.param("cannonical", "did you mean 'canonical'?", id="typo"),
        pytest.param("zzz", "known: another, canonical", id="nothing-near"),
        pytest.param("", "known: another, canonical", id="empty"),
        pytest.param("json:", "known: another, canonical", id="no-attribute"),
        pytest.param("..json:dumps", "known: another, canonical", id="relative"),
    ],
)
def test_an_unknown_name_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UnknownPluginError, match="unknown policy") as caught:
        registry.load("policy", name, among=AMONG)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("name", "error"),
    [
        pytest.param("no_such_module_here:x", "No module named 'no_such", id="module"),
        pytest.param("json:no_such_thing", "has no attribute 'no_such_thing'", id="attribute"),
    ],
)
def test_a_path_that_leads_nowhere_is_named(name: str, error: str) -> None:
    with pytest.raises(ConfigError, match=f"policy '{name}': .*{error}") as caught:
        registry.load("policy", name, among=AMONG)
    assert caught.value.hint


@pytest.mark.parametrize("group", ["operators", "evaluators", "policies", "memory_tiers"])
def test_no_two_plugins_share_a_name(group: str) -> None:
    found = [point.name for point in entry_points(group=f"se_agent.{group}")]
    assert sorted(set(found)) == sorted(found)


HIDDEN = """
from importlib.metadata import EntryPoint
from se_agent import registry
point = EntryPoint("m", "operators.rewrite:anything", "se_agent.operators")
registry.load("operator", "m", among=[point])
"""
STRANGER = """
from se_agent import registry
registry.load("operator", "stranger:Rule")
"""
LOOSE = """
from se_agent import registry
registry.check_origin("operators")
print("found")
"""


class TestAFolderOfTheUsers:
    @pytest.mark.parametrize("place", ["operators/__init__.py", "operators.py"])
    def test_that_hides_ours_is_named(self, tmp_path: Path, place: str) -> None:
        touch(tmp_path / place)
        done = python(HIDDEN, cwd=tmp_path)
        assert f"HiddenPackageError: 'operators' was found in {tmp_path}," in done.stderr

    def test_that_hides_ours_from_a_strangers_plugin_is_named(self, tmp_path: Path) -> None:
        touch(tmp_path / "operators" / "__init__.py")
        touch(tmp_path / "stranger.py", "from operators.rewrite import apply\n")
        done = python(STRANGER, cwd=tmp_path)
        assert f"HiddenPackageError: 'operators' was found in {tmp_path}," in done.stderr

    def test_without_an_init_file_hides_nothing(self, tmp_path: Path) -> None:
        touch(tmp_path / "operators" / "mine.py")
        assert python(LOOSE, cwd=tmp_path).stdout == "found\n"

    def test_may_hold_plugins_that_are_named_by_path(self, tmp_path: Path) -> None:
        touch(tmp_path / "operators" / "__init__.py")
        touch(tmp_path / "operators" / "mine.py", "class Rule: ...\n")
        script = STRANGER.replace("stranger:Rule", "operators.mine:Rule")
        assert python(script, cwd=tmp_path).returncode == 0


def test_a_file_that_is_no_python_is_an_error_of_that_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(tmp_path / "half_written.py", "class Rule:\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match=r"expected an indented block .*half_written\.py"):
        registry.load("operator", "half_written:Rule")


def touch(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def python(script: str, *, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", script]  # -c puts the working folder first on the path
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
