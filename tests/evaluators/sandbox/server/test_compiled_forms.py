"""Modules of a project are compiled once, in a folder of ours, for all runs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluators.sandbox.job import Job
from evaluators.sandbox.server.compiled_forms import CompiledForms
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent import wire
from se_agent.files.kept_back import KeptBack
from se_agent.problem.model import Limits

COMPILES = """\
import builtins
import importlib._bootstrap_external as external

compiled = []

def noted(source, path, *args, **kwargs):
    compiled.append(path.rpartition("/")[2])
    return compile(source, path, "exec", dont_inherit=True)

external.SourceFileLoader.source_to_code = staticmethod(noted)

def imported():
    import parts
    return parts.number(), compiled
"""


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A module without a compiled form."""
    made = tmp_path / "project" / "parts.py"
    made.parent.mkdir()
    made.write_text("def number():\n    return 1\n", encoding="utf-8")
    return made


@pytest.fixture
def forms(parts: Path) -> Iterator[CompiledForms]:
    root = str(parts.parent)
    with contextlib.closing(CompiledForms([root], [KeptBack(root)])) as made:
        yield made


def test_lie_in_a_folder_of_their_own_while_they_are_needed(
    parts: Path, forms: CompiledForms
) -> None:
    assert forms.folder == ""
    forms.add([str(parts)])
    form = Path(f"{forms.folder}{parts.resolve()}c")
    assert form.is_file()
    assert [path.name for path in parts.parent.iterdir()] == ["parts.py"]
    forms.close()
    assert not form.exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("broken.py", "def f(:\n", id="no-python"),
        pytest.param("zero.py", "x = '\0'\n", id="a-zero-byte"),
        pytest.param("deep.py", "x = " + "(" * 5000 + ")" * 5000, id="nested-too-deep"),
        pytest.param("secrets.py", "KEY = 1\n", id="kept-back"),
        pytest.param("notes.txt", "x = 1\n", id="another-language"),
        pytest.param("../beside.py", "x = 1\n", id="outside"),
        pytest.param("large.py", "#" * (2 << 20), id="too-large"),
    ],
)
def test_what_has_none_is_left_to_the_runs(
    parts: Path, forms: CompiledForms, name: str, text: str
) -> None:
    (parts.parent / name).write_text(text, encoding="utf-8")
    forms.add([str(parts.parent / name), str(parts.parent / "missing.py"), "/dev/zero"])
    made = [*Path(forms.folder).rglob("*.pyc")] if forms.folder else []
    assert made == []


def test_a_link_out_of_the_project_is_not_followed(parts: Path, forms: CompiledForms) -> None:
    beside = parts.parent.parent / "beside.py"
    beside.write_text("x = 1\n", encoding="utf-8")
    (parts.parent / "link.py").symlink_to(beside)
    forms.add([str(parts.parent / "link.py")])
    assert forms.folder == ""


def answered(sandbox: ForkServer) -> tuple[int, list[str]]:
    """Return what a module of the project tells, and which modules a run compiled."""
    job = Job(
        program=COMPILES, entry_point="imported", inputs=(wire.dumps(()),), limits=Limits()
    )
    number, compiled = wire.loads(sandbox.run(job).answers[0].value)
    return number, compiled


def test_runs_take_them_and_see_a_module_that_changed(parts: Path) -> None:
    sandbox = ForkServer(site=(str(parts.parent),))
    with contextlib.closing(sandbox):
        assert answered(sandbox) == (1, ["parts.py"])
        sandbox.preload((), [str(parts)])
        sandbox.restart()
        assert answered(sandbox) == (1, [])
        parts.write_text("def number():\n    return 2\n", encoding="utf-8")
        os.utime(parts, (1, 1))
        assert answered(sandbox) == (2, ["parts.py"])
