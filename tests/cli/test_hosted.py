"""A problem in JavaScript from its folder to the end of a run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaluators.languages.tool import installed
from evaluators.sandbox.server.probe import tried
from se_agent.program.language import Language
from tests.cli.calls import call, two_lines
from tests.evaluators.languages.fixed import Fixed

INITIAL = "console.log(Number(require('fs').readFileSync(0, 'utf8').split(' ')[0]));\n"
GENERATOR = (
    "def generate(rng, size):\n"
    "    return ' '.join(str(rng.randrange(100)) for _ in range(size)) + ' 100'\n"
)
SCORER = (
    "def score(args, output):\n"
    "    if int(output) not in map(int, args.split()):\n"
    "        raise ValueError('it is none of them')\n"
    "    return int(output)\n"
)
STDIO = 'kind = "stdio"\nlanguage = "javascript"\n[inputs]\nsizes = [3, 5]\n'
SCORE = (
    'kind = "score"\nlanguage = "javascript"\n[inputs]\nsizes = [3]\nvisible = 1\n'
    '[score]\ndirection = "maximize"\n'
)
_WHY = tried("namespace")
node = pytest.mark.skipif(installed(Language.JAVASCRIPT) is None, reason="no node here")
room = pytest.mark.skipif(bool(_WHY), reason=f"no namespaces here: {_WHY}")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def folder(home: Path, problem: str) -> Path:
    place = home / "numbers"
    place.mkdir()
    texts = {
        "problem.toml": problem,
        "initial.js": INITIAL,
        "generator.py": GENERATOR,
        "scorer.py": SCORER,
    }
    for name, text in texts.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


def test_check_says_that_there_is_no_rule_for_it(tmp_path: Path) -> None:
    called = call("check", folder(tmp_path, STDIO), "--static")
    assert (called.code, called.err) == (0, "")
    told = r"^candidates +none: no rule is there for programs in javascript, .*operators="
    assert re.search(told, called.out, re.MULTILINE), called.out


def test_check_counts_what_operators_of_the_users_own_make(tmp_path: Path) -> None:
    place = folder(tmp_path, STDIO)
    called = call("check", place, "--static", "--set", f"operators={Fixed.name}")
    assert re.search(r"^candidates +1 distinct program within", called.out, re.M), called


@pytest.mark.tier("runs")
@node
@room
def test_a_run_takes_the_level_that_has_room(tmp_path: Path) -> None:
    place = folder(tmp_path, SCORE)
    settings = (f"operators={Fixed.name}", "budget.evaluations=1")
    called = call(
        "run", place, "--json", *(word for one in settings for word in ("--set", one))
    )
    assert called.code == 0, called
    answer = json.loads(called.out)
    assert (answer["status"], answer["score"]) == ("proven", 100)


@node
def test_a_level_without_room_is_refused(tmp_path: Path) -> None:
    place = folder(tmp_path, SCORE)
    error, hint = two_lines(call("run", place, "--set", "sandbox.isolation=jail"))
    assert "programs in javascript need threads" in error
    assert "sandbox.isolation=namespace" in hint


def test_its_programs_start_no_others(tmp_path: Path) -> None:
    place = folder(tmp_path, f'needs = ["children"]\n{STDIO}')
    error, hint = two_lines(call("check", place, "--static"))
    assert "a program in javascript can start no other" in error
    assert "no children" in hint
