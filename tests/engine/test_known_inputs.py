"""A program with a table of answers to the inputs of a known seed gains nothing by it.

By that seed it is proven, which shows that the table is right; by one made later it is not.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.judging.drawing import Seeds
from se_agent.engine.run.start import start
from se_agent.problem.model import RUN_INPUTS, Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.brief import Brief
from se_agent.values.evaluation import InputSet
from se_agent.values.randomness import fresh_seed
from se_agent.values.step import Proposal
from tests.cli.calls import call

TURNS = 60_000
SLOW = f"""\
def folded(n):
    total = 0
    for _ in range({TURNS}):
        total = (total + n) % 1_000_003
    return total
"""
GENERATOR = "def generate(rng):\n    return (rng.getrandbits(40),)\n"
LADDER = Ladder(rungs=(("generate(rng)",),))
MEASURE = {"fast_seconds": 0.004, "slow_seconds": 0.02, "self_test_blocks": 3}
JUDGE = {"min_blocks": 4, "max_blocks": 6, "pairs": 4, "counterexample_seconds": 0.5}
"""An interval over two blocks has one degree of freedom: beside a load even 30x was noise."""
INPUTS = 8
"""Inputs of a final block."""


def known(seed: int) -> dict[int, int]:
    """Return answers to all inputs that are measured by a seed, a second look included."""
    places = [*range(6), *range(100, 106)]  # of blocks: each has a stretch of its own
    final = [place * INPUTS * RUN_INPUTS + n for place in places for n in range(2 * INPUTS)]
    exprs = [LADDER.expr(InputSet.SEARCH, n, salt=seed) for n in range(64)]
    exprs += [LADDER.expr(InputSet.FINAL, n, salt=seed) for n in final]
    drawn = [Random(expr.seed).getrandbits(40) for expr in exprs if expr is not None]
    return {n: TURNS * n % 1_000_003 for n in drawn}


def with_a_table() -> str:
    """Return the slow program, which looks its argument up first: it is always right."""
    lines = SLOW.splitlines(keepends=True)
    lines.insert(1, "    if n in KNOWN:\n        return KNOWN[n]\n")
    return f"KNOWN = {known(0)}\n{''.join(lines)}"


class Knowing:
    """Proposes the program with the table."""

    name = "tests.engine.test_known_inputs:Knowing"
    arity = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return it, once."""
        child = brief.child({"main.py": with_a_table()}, operator=self.name)
        if child.content in brief.tried:
            return None
        return Proposal(solution=child, direction="Look answers up")


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("seeds", "status"),
    [
        pytest.param(lambda: 0, "proven", id="known"),
        pytest.param(fresh_seed, "not_proven", id="fresh"),
    ],
)
def test_a_run_confirms_on_inputs_that_no_program_knows(
    tmp_path: Path, seeds: Seeds, status: str
) -> None:
    problem = Problem(
        name="folded",
        kind=ProblemKind.FUNCTION,
        programs={"initial": SLOW},
        entry_point="folded",
        cases=(Case(name="some", input=Expr(code="(5,)")),),
        generator=GENERATOR,
        ladder=LADDER,
    )
    config = Run.model_validate(
        {
            "problem": "folded",
            "operators": [Knowing.name],
            "results": str(tmp_path),
            "budget": {"evaluations": 1},
            "memory": {"prior": "off"},
            "trim": False,
            "judge": JUDGE,
            "measure": MEASURE,
        }
    )
    result = start(config, problem=problem, seeds=seeds)
    assert result.status == status


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("more", "code"),
    [pytest.param(("--seed", "0"), 0, id="known"), pytest.param((), 1, id="fresh")],
)
def test_a_proof_is_made_on_inputs_that_no_program_knows(
    tmp_path: Path, more: tuple[str, ...], code: int
) -> None:
    for name, text in (("old", SLOW), ("new", with_a_table()), ("given", GENERATOR)):
        (tmp_path / f"{name}.py").write_text(text)
    settings = [f"measure.{key}={value}" for key, value in MEASURE.items()]
    settings += [f"judge.{key}={value}" for key, value in JUDGE.items()]
    told = [word for setting in settings for word in ("--set", setting)]
    functions = (f"{tmp_path}/old.py:folded", f"{tmp_path}/new.py:folded")
    inputs = ("--inputs", f"{tmp_path}/given.py:generate")
    called = call("prove", *functions, *inputs, *told, *more)
    assert called.code == code, called
    assert "inputs are drawn by seed " in called.out + called.err
