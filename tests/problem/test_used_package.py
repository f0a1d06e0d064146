"""`kind = "workload"`: what a folder says of a package and of who calls it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from se_agent.cli.commands.starter import starter
from se_agent.errors import ProblemError
from se_agent.problem.loading import load_problem
from se_agent.problem.model import ProblemKind
from se_agent.program.language import Language

MORE = "def more(xs):\n    return [x for x in xs]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {**starter("workload", Language.PYTHON), "shelf/more.py": MORE}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def aim(folder: Path, *targets: str, more: str = "") -> None:
    path = folder / "problem.toml"
    text = path.read_text(encoding="utf-8")
    text = text.replace('["shelf/books.py:Shelf.unread"]', str([*targets]) + more)
    path.write_text(text, encoding="utf-8")


def test_the_files_that_may_change_are_the_program(folder: Path) -> None:
    aim(folder, "shelf/books.py:Shelf.unread", "shelf/more.py")
    problem = load_problem(folder)
    assert problem.kind is ProblemKind.WORKLOAD
    assert problem.initial().files.keys() == {"shelf/books.py", "shelf/more.py"}
    assert problem.editable == "shelf/books.py:Shelf.unread shelf/more.py:"
    assert problem.workload is not None
    assert [one.name for one in problem.workload.modules.values()] == [
        "shelf.books",
        "shelf.more",
    ]
    assert problem.site == (str(folder.resolve()),)
    assert problem.statement.startswith(
        "Make `shelf/books.py:Shelf.unread`, `shelf/more.py` faster"
    )


def test_tests_of_the_folder_are_a_gate(folder: Path) -> None:
    (folder / "tests").mkdir()
    aim(folder, "shelf/books.py", more='\ntests = "tests"')
    problem = load_problem(folder)
    assert problem.gate is not None
    assert (problem.gate.module, problem.gate.tests) == ("shelf/books.py", "tests")
    assert problem.editable == ""


@pytest.mark.parametrize(
    ("target", "more", "message", "hint"),
    [
        (
            "shelf/books.py:Shelf.unred",
            "",
            "has no function or class",
            "Shelf.unread",
        ),
        ("shelf/boks.py", "", "cannot read", "books.py"),
        ("../books.py", "", "lies outside the folder", "inside"),
        ("shelf/books.py", '\ntests = "gone"', "there is no 'gone'", "folder of tests"),
        (
            "shelf/books.py",
            '\nfunction = "work"',
            "the workload 'work' is not defined",
            "workload",
        ),
        ("shelf/books.py", '\n[score]\ndirection = "minimize"', "has none", "[workload] says"),
    ],
)
def test_what_cannot_be_meant_is_told(
    folder: Path, target: str, more: str, message: str, hint: str
) -> None:
    aim(folder, target, more=more)
    with pytest.raises(ProblemError, match=re.escape(message)) as err:
        load_problem(folder)
    assert hint in err.value.hint
