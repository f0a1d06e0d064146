"""A problem in C++ whose program does not compile: its author reads what the compiler says."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.languages.tool import installed
from se_agent.program.language import Language
from tests.cli.calls import call

FILES = {
    "initial.cpp": "#include <iostream>\nint main() {\n    std::cout << totl;\n}\n",
    "generator.py": "def generate(rng, size):\n    return str(size)\n",
    "scorer.py": "def score(args, output):\n    return int(output)\n",
}
STDIO = 'kind = "stdio"\nlanguage = "cpp"\n[inputs]\nsizes = [3, 5]\n'
SCORE = (
    'kind = "score"\nlanguage = "cpp"\n[inputs]\nsizes = [3]\nvisible = 1\n'
    '[score]\ndirection = "maximize"\n'
)


@pytest.mark.tier("runs")
@pytest.mark.skipif(installed(Language.CPP) is None, reason="no compiler for C++ here")
@pytest.mark.parametrize("text", [STDIO, SCORE], ids=["stdio", "score"])
@pytest.mark.parametrize("command", ["check", "run"])
def test_the_first_errors_are_shown_as_the_compiler_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sums").mkdir()
    for name, content in {**FILES, "problem.toml": text}.items():
        (tmp_path / "sums" / name).write_text(content, encoding="utf-8")
    called = call(command, tmp_path / "sums")
    assert called.code == 2
    error, *lines, hint = called.err.splitlines()
    where = "error: the initial program of 'sums' does not compile: initial.cpp:3:18: error: "
    assert error.startswith(where)
    assert any(line.lstrip(" 3|").startswith("std::cout << totl;") for line in lines)
    assert hint.startswith("hint:  correct initial.cpp; it is compiled alone, by `")
    assert "main.cpp" not in called.err
    assert not (tmp_path / "results").exists()
