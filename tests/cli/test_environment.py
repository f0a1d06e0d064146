"""Keys while a command runs: its models have them, nobody else sees them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calls import ROOT, call
from tests.llm.endpoint import serving

OWN_MODEL = """
import os, subprocess
from pathlib import Path
from se_agent.llm.scripted import ScriptedModel

AT_IMPORT = os.environ["OTHER_API_KEY"]


def made(endpoint):
    assert os.environ["OTHER_API_KEY"] == AT_IMPORT == "planted-own"
    return ScriptedModel(seen)


def seen(conversation):
    parent = ["/bin/sh", "-c", "cat /proc/$PPID/environ; env"]
    told = [repr(dict(os.environ)), repr(Path("/proc/self/environ").read_bytes())]
    Path("seen").write_text("\\n".join([*told, repr(subprocess.check_output(parent))]))
    return "ready"
"""


def started(folder: Path, *words: str, **planted: str) -> subprocess.CompletedProcess[str]:
    path = f"{folder}:{os.environ['PATH']}"
    env = {**os.environ, "PYTHONPATH": f"{ROOT}:{folder}", "PATH": path, **planted}
    command = [sys.executable, "-m", "se_agent", *words]
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=100
    )


@pytest.mark.tier("runs")
def test_a_model_of_another_package_finds_its_key_and_its_run_shows_none(
    tmp_path: Path,
) -> None:
    (tmp_path / "own_model.py").write_text(OWN_MODEL, encoding="utf-8")
    done = started(
        tmp_path,
        *("doctor", "--model", "--set", "models.main.name=any"),
        *("--set", "models.main.provider=own_model:made", "--set", "models.main.key=MY_LLM"),
        OTHER_API_KEY="planted-own",
        MY_LLM="planted-named",
        OPENAI_API_KEY="planted-other",
    )
    seen = (tmp_path / "seen").read_text(encoding="utf-8")
    assert "PATH" in seen, done
    assert "planted" not in seen


@pytest.mark.tier("runs")
def test_the_official_package_sends_key_and_headers_and_its_programs_see_neither(
    tmp_path: Path,
) -> None:
    """It asks `uname` for the processor."""
    program, noted = tmp_path / "uname", tmp_path / "noted"
    program.write_text(f"#!/bin/sh\nenv >> '{noted}'\necho x\n", encoding="utf-8")
    program.chmod(0o755)
    with serving() as server:
        done = started(
            tmp_path,
            *("doctor", "--model", "--set", "models.main.name=any"),
            *("--set", f"models.main.base_url={server.url}"),
            OPENAI_API_KEY="planted-key",
            OPENAI_CUSTOM_HEADERS="X-Auth: planted-header",
        )
        asked = server.requests
    assert asked, done
    assert asked[0].headers["authorization"] == "Bearer planted-key"
    assert asked[0].headers["x-auth"] == "planted-header"
    assert "planted" not in noted.read_text(encoding="utf-8")


def test_a_command_in_this_process_gives_the_secrets_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "planted")
    assert call("problems").code == 0
    assert os.environ["OTHER_API_KEY"] == "planted"


@pytest.mark.tier("runs")
def test_a_problem_that_leads_to_the_environment_puts_no_key_into_a_prompt(
    tmp_path: Path,
) -> None:
    problem = tmp_path / "problem"
    shutil.copytree(ROOT / "problems" / "order_report", problem)
    (problem / "statement.md").unlink()
    (problem / "statement.md").symlink_to("/proc/self/environ")
    done = started(
        tmp_path,
        *("run", str(problem), "--dry-run", "--model", "any"),
        *(
            "--set",
            "models.main.key=MY_LLM",
            "--set",
            "models.main.base_url=http://localhost:1",
        ),
        OPENAI_API_KEY="planted-key",
        MY_LLM="planted-named",
    )
    assert "planted" not in done.stdout + done.stderr
