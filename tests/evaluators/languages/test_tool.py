"""Tools as they are found on the path, those that do not work included."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.languages.compiler import Compiler
from evaluators.languages.tool import installed
from se_agent.cli.commands.doctor import languages
from se_agent.errors import ProblemError
from se_agent.program.language import Language

ERROR = "error: no version was chosen, and none is configured."
HELP = "help: run 'rustup default stable' to download one."


def on_the_path(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> Path:
    """Put a `rustc` on the path that only says these lines, and fails."""
    program = folder / "rustc"
    said = "\n".join(lines)
    program.write_text(f'#!/bin/sh\nexec >&2\necho "{said}"\nexit 1\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return program


def test_a_switch_without_a_compiler_is_told_in_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = on_the_path(tmp_path, monkeypatch, ERROR, HELP, "", "Stack backtrace:", "   0: f")
    (row,) = (r for r in languages("jail") if r.name == "programs in rust")
    assert (row.ok, row.detail) == (False, f"{program}: {ERROR} {HELP}")
    with pytest.raises(
        ProblemError, match="the compiler for rust does not work here"
    ) as caught:
        Compiler(Language.RUST, "jail")
    assert str(caught.value).endswith(f"{program}: {ERROR}")
    assert caught.value.hint == HELP.removeprefix("help: ")


def test_one_line_is_no_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_the_path(tmp_path, monkeypatch, ERROR)
    with pytest.raises(ProblemError, match="none is configured") as caught:
        Compiler(Language.RUST, "jail")
    assert caught.value.hint.startswith("mend it or install another one")


def test_a_tool_that_says_nothing_at_all_is_in_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_the_path(tmp_path, monkeypatch)
    found = installed(Language.RUST)
    assert found is not None
    assert found.trouble == "it ends with 1"


@pytest.mark.skipif(installed(Language.CPP) is None, reason="no compiler for C++ here")
def test_one_that_works_is_in_no_trouble() -> None:
    found = installed(Language.CPP)
    assert found is not None
    assert found.trouble == ""
