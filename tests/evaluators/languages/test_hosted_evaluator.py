"""The evaluator of standard input, with programs that have a run time of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest

from evaluators.kinds.stdio import StdioEvaluator
from evaluators.languages.tool import installed
from evaluators.sandbox.server.probe import tried
from se_agent.config.sections import Measure
from se_agent.errors import ConfigError
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.program.language import Language
from se_agent.values.evaluation import Status
from se_agent.values.objective import Objective
from se_agent.values.solution import Solution
from tests.evaluators.languages.hosted import PROGRAMS

_WHY = tried("namespace")
pytestmark = pytest.mark.skipif(bool(_WHY), reason=f"no namespaces here: {_WHY}")
BRIEF = Measure(fast_seconds=0.005, slow_seconds=0.05)
ALL = {
    Status.AC: "adds",
    Status.WA: "files",
    Status.RE: "fails",
    Status.CE: "broken",
    Status.MLE: "heap",
    Status.TLE: "spins",
}
JAVASCRIPT = """const numbers = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);
let sum = 0;
for (let turn = 0; turn < TURNS; turn++)
    for (const one of numbers) sum = (sum * 31 + one * turn) % 1000003;
console.log(numbers[0] + numbers[1]);
if (sum < 0) console.log(sum);
"""
JAVA = """import java.util.*;
public class Main {
    public static void main(String[] words) {
        Scanner in = new Scanner(System.in);
        long first = in.nextLong(), second = in.nextLong(), sum = first;
        for (long turn = 0; turn < TURNS * 5L; turn++) sum = (sum * 31 + turn) % 1000003;
        System.out.println(first + second);
        if (sum < 0) System.out.println(sum);
    }
}
"""
WASTEFUL: Mapping[Language, str] = {Language.JAVASCRIPT: JAVASCRIPT, Language.JAVA: JAVA}


@dataclass
class Place:
    """An evaluator of a problem that adds two numbers, in one language."""

    language: Language
    made: Callable[[float], StdioEvaluator]

    def solution(self, text: str) -> Solution:
        return Solution(id="Gen1_Sol_1", files={f"main{self.language.suffix}": text})


def problem(language: Language, seconds: float) -> Problem:
    return Problem(
        name="adds",
        kind=ProblemKind.STDIO,
        language=language,
        path=f"main{language.suffix}",
        programs={"initial": PROGRAMS[language].adds},
        cases=(Case(name="two", input=Expr(code="'3 4'"), expected="7\n"),),
        generator="def draw(rng): return f'{rng.randrange(9)} {rng.randrange(9)}'\n",
        ladder=Ladder(rungs=(("draw(rng)",),)),
        limits=Limits(cpu_seconds=seconds, memory_bytes=256 << 20),
    )


@pytest.fixture(scope="module", params=list(WASTEFUL), ids=str)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    language: Language = request.param
    if installed(language) is None:
        pytest.skip(f"no {language} here")
    opened: dict[float, StdioEvaluator] = {}

    def made(seconds: float) -> StdioEvaluator:
        if seconds not in opened:
            given = problem(language, seconds)
            opened[seconds] = StdioEvaluator(given, measure=BRIEF, isolation="namespace")
        return opened[seconds]

    yield Place(language, made)
    for one in opened.values():
        one.close()


@pytest.mark.parametrize("status", list(ALL), ids=str)
def test_each_way_to_end(place: Place, status: Status) -> None:
    evaluator = place.made(1.0 if status is Status.TLE else 60.0)
    text = getattr(PROGRAMS[place.language], ALL[status])
    evaluation = evaluator.evaluate(place.solution(text))
    assert evaluation.status is status, evaluation.feedback
    assert bool(evaluation.feedback) is (status is not Status.AC)


def test_less_work_is_a_gain_beyond_what_a_start_costs(place: Place) -> None:
    evaluator = place.made(60.0)
    slow, fast = (
        place.solution(WASTEFUL[place.language].replace("TURNS", str(turns)))
        for turns in (20_000_000, 5_000_000)
    )
    block = evaluator.block(slow, fast, number=0, pairs=2)
    assert block.status is block.reference_status is Status.AC
    assert block.effect > 0.5  # of ln(4): the start is the same, and is subtracted


def test_memory_cannot_be_the_objective_of_several_threads(place: Place) -> None:
    given = problem(place.language, 60.0)
    with pytest.raises(ConfigError, match="is read of one process"):
        StdioEvaluator(
            given,
            measure=BRIEF,
            isolation="namespace",
            objective=Objective.weighted({"memory": 1.0}),
        )
