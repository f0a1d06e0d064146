"""SKILL.md tells agents what is so: its commands, options and verdicts are those of today."""

from __future__ import annotations

import re
from typing import get_args

import pytest
import typer

from se_agent.cli.app import app
from se_agent.cli.verdict import ProofVerdict
from se_agent.engine.journal.result import RunVerdict
from tests.cli.calls import call

COMMAND = re.compile(r"`(se-agent [^`]+)`")


@pytest.fixture(scope="module")
def page() -> str:
    said = call("skill")
    assert said.code == 0
    return said.out


def test_it_begins_as_agents_ask_for(page: str) -> None:
    """A name, and a description that tells when to load the page; 1,024 characters at most."""
    begin, head, _ = page.split("---\n", 2)
    assert begin == ""
    name, described = head.split("\ndescription: ")
    assert name == "name: se-agent"
    assert 0 < len(described) <= 1024


def test_every_command_and_option_is_there(page: str) -> None:
    group = typer.main.get_command(app)
    context = typer.Context(group)
    found = COMMAND.findall(page)
    assert len(found) > 10
    for line in found:
        _, name, *words = line.split()
        command = group.get_command(context, name)  # type: ignore[attr-defined]
        assert command is not None, line
        if nested := getattr(command, "commands", {}).get(words[0] if words else ""):
            command = nested
        known = {option for each in command.params for option in each.opts}
        assert {word for word in words if word.startswith("--")} <= known, line


def test_its_verdicts_are_all_there_are(page: str) -> None:
    told = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert sorted(told) == sorted([*get_args(ProofVerdict), *get_args(RunVerdict)])
