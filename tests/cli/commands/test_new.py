"""`new`: what it writes is a problem that `check` and `run` take as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaluators.languages.tool import installed
from se_agent.cli.checks.no_candidates import barren
from se_agent.cli.commands.new import Starter
from se_agent.config.run_file import Run, parse
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.problem.loading import load_problem
from se_agent.problem.model import ProblemKind
from se_agent.program.language import Language
from tests.cli.calls import call, two_lines

QUICK = (
    "operators=set_membership",
    "budget.evaluations=1",
    "measure.self_test_blocks=2",
    "measure.fast_seconds=0.003",
    "measure.slow_seconds=0.02",
    "judge.pairs=4",
    "judge.counterexample_seconds=0.5",
)

OTHERS = [language for language in Language if language is not Language.PYTHON]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("kind", list(Starter))
def test_check_takes_it(kind: Starter) -> None:
    made = call("new", "mine", "--kind", kind)
    assert made.code == 0, made
    assert made.out.splitlines()[-3:] == [
        "next:",
        "  se-agent check ./mine",
        "  se-agent run ./mine/run.toml",
    ]
    checked = call("check", "./mine", "--mutants", 4)
    assert checked.code == 0, checked
    assert "...\nverdict      a run can start\n" in checked.out
    assert "note " not in checked.out
    assert barren(ResolvedRun.of(Run(problem="mine"), load_problem(Path("mine")))) is None


@pytest.mark.parametrize("kind", list(Starter))
def test_its_run_file_is_one(kind: Starter) -> None:
    call("new", "mine", "--kind", kind)
    chosen = parse("mine/run.toml", ())
    assert load_problem(chosen.problem).name == "mine"
    text = Path("mine/run.toml").read_text(encoding="utf-8")
    Path("mine/run.toml").write_text(re.sub(r"# (\[models|name)", r"\1", text))
    assert parse("mine/run.toml", ()).models["main"].name == "MODEL"


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_has_a_program_of_its_own(language: Language) -> None:
    made = call("new", "mine", "--language", language)
    assert made.code == 0, made
    assert f"put your own program into initial{language.suffix};" in made.out
    assert f"initial{language.suffix}" in {path.name for path in Path("mine").iterdir()}
    problem = load_problem(Path("mine"))
    assert problem.kind is ProblemKind.STDIO
    assert problem.language is language


@pytest.mark.tier("runs")
@pytest.mark.parametrize("language", OTHERS)
def test_check_takes_that_too(language: Language) -> None:
    """A program that is right and long enough; what rules there are is another matter."""
    if installed(language) is None:
        pytest.skip(f"no compiler for {language} here")
    call("new", "mine", "--language", language, "--kind", "stdio")
    checked = call("check", "mine", "--mutants", int(language is Language.CPP))
    if language is Language.CPP:
        assert checked.code == 0, checked
        return
    error, _ = two_lines(checked)
    reason = f"no rule is there for programs in {language}"
    assert error == f"mine: a run would have nothing to try: {reason}"


@pytest.mark.parametrize("kind", ["function", "score"])
def test_other_languages_have_programs_that_read_and_print(kind: str) -> None:
    error, hint = two_lines(call("new", "mine", "--kind", kind, "--language", "rust"))
    assert error == f"--kind {kind}: no problem of a program in rust"
    assert hint.startswith("--kind stdio --language rust: ")
    assert not Path("mine").exists()


@pytest.mark.tier("runs")
def test_run_makes_it_faster() -> None:
    call("new", "mine")
    path = Path("mine/problem.toml")
    text, changed = re.subn(r"(?m)^(sizes|final) = [^#\n]*", _smaller, path.read_text("utf-8"))
    assert changed == 2
    path.write_text(text, encoding="utf-8")
    settings = [part for setting in QUICK for part in ("--set", setting)]
    called = call("run", "mine/run.toml", *settings)
    assert called.code == 0, called
    assert "+    banned_set = set(banned)" in called.out


def _smaller(setting: re.Match[str]) -> str:
    """Return inputs that take 3 ms, not 50: as they are written, `check` takes them above."""
    return "sizes = [10, 100, 400] " if setting[1] == "sizes" else "final = 400 "


def test_commands_to_be_copied_are_quoted() -> None:
    assert call("new", "my own").out.splitlines()[-2:] == [
        "  se-agent check './my own'",
        "  se-agent run './my own/run.toml'",
    ]


def test_nothing_that_exists_is_changed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "initial.py").write_text("x = 1\n", encoding="utf-8")
    error, hint = two_lines(call("new", "mine"))
    assert (error, hint) == ("mine: not empty", "give a folder that is not there yet")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["initial.py"]
    error, _ = two_lines(call("new", "mine", "--kind", "foo"))
    assert error.startswith("Invalid value for '--kind': 'foo' is not one of 'function', ")
    error, _ = two_lines(call("new", "mine/initial.py"))
    assert error == "mine/initial.py: cannot be made: File exists"
