"""What a problem folder may say of its objective."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.problem.loading import fingerprint, load_problem
from se_agent.values.objective import CPU_TIME, Objective


def folder(tmp_path: Path, keys: str, kind: str = "function") -> Path:
    """Return a small problem folder with these keys in its file."""
    head = f'kind = "{kind}"\nentry_point = "double"\n{keys}\n[inputs]\nsizes = [3]\n'
    (tmp_path / "problem.toml").write_text(head)
    (tmp_path / "initial.py").write_text("def double(n):\n    return 2 * n\n")
    (tmp_path / "generator.py").write_text("def generate(rng, size):\n    return (size,)\n")
    return tmp_path


def test_it_is_cpu_time_unless_it_is_said(tmp_path: Path) -> None:
    plain = load_problem(folder(tmp_path, ""))
    assert plain.objective == CPU_TIME
    other = load_problem(folder(tmp_path, 'objective = "memory"'))
    assert other.objective == Objective.weighted({"memory": 1})
    assert fingerprint(plain) != fingerprint(other)
    mixed = load_problem(folder(tmp_path, "weights = { cpu = 7, memory = 3 }"))
    assert mixed.objective == Objective.weighted({"cpu": 0.7, "memory": 0.3})


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ('objective = "memry"', "objective: 'memry' is not known"),
        ("weights = { cpus = 1 }", "weights: 'cpus' is none of"),
        ('objective = "cpu"\nweights = { cpu = 1 }', "there is an objective already"),
        ('reference = "best"', "there is no program 'best'"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, keys: str, message: str) -> None:
    with pytest.raises(ProblemError, match=message) as caught:
        load_problem(folder(tmp_path, keys))
    assert "problem.toml:" in str(caught.value)
    assert caught.value.hint


def test_a_reference_is_one_of_the_programs(tmp_path: Path) -> None:
    assert load_problem(folder(tmp_path, 'reference = "initial"')).reference == "initial"
