"""The page that newcomers copy from: its example works, and it names every key."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import BaseModel

from se_agent.problem.loading import find_problems, load_problem
from se_agent.problem.schema import CaseFile as Cases
from se_agent.problem.schema import Check, Command, Inputs, LimitsSection, ProblemFile, Score, parse
from se_agent.values.evaluation import InputSet
from tests.problems.bench import cpu, entry, measured

README = Path(__file__).parents[2] / "problems" / "README.md"
TEXT = README.read_text(encoding="utf-8")


def test_the_five_minute_example_works_as_it_stands(tmp_path: Path) -> None:
    files = re.findall(r"`([a-z]+\.(?:toml|py))`\n\n```\w+\n(.*?)```", TEXT, flags=re.DOTALL)
    assert [name for name, _ in files] == ["problem.toml", "initial.py", "generator.py"]
    for name, text in files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    problem = load_problem(tmp_path)
    function = entry(problem, problem.initial().text)
    assert function([1, 2, 3, 0], 3) == 2
    given = measured(problem, InputSet.FINAL, 0)
    assert 0.005 < cpu(lambda: function(*given)) < 0.4


def test_the_examples_of_cases_are_valid() -> None:
    written, stdio = re.findall(r"```toml\n(\[\[case\]\].*?)```", TEXT, flags=re.DOTALL)
    assert [row.name for row in parse(Cases, README, written).case] == ["empty", "a large one"]
    assert parse(Cases, README, stdio).case[0].stdout == "7\n"


def test_every_key_is_described_with_its_default() -> None:
    rows = dict(re.findall(r"^\| \*?\*?`\[?(\w+)\]?`\*?\*? \| (.*?) \|", TEXT, flags=re.M))
    sections: list[type[BaseModel]] = [ProblemFile, Inputs, LimitsSection, Check, Score, Command]
    for section in sections:
        for key, field in section.model_fields.items():
            assert key in rows, key
            if isinstance(field.default, float | int | list) and key not in ("final", "search"):
                assert rows[key] in (f"`{field.default}`", '`""`'), key


def test_every_shipped_problem_is_listed_with_its_kind_and_family() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (function|stdio|score) \| (\w+) \|", TEXT, flags=re.M)
    shipped = [load_problem(name) for name in find_problems()]
    assert set(rows) == {(problem.name, problem.kind, problem.family) for problem in shipped}
