"""The made-up world of memory: what its model reads in a prompt, and what that saves."""

from __future__ import annotations

import itertools
from collections import Counter

from experiments.figures.compliance import EVALUATIONS, spent, table
from experiments.figures.ideas import (
    IDEAS,
    KINDS,
    Listener,
    Worth,
    ideas_of,
    kinds_of,
    named,
    problem,
    written,
)
from se_agent.chat.messages import Message
from se_agent.config.sections import Endpoint
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution

MEMORY = """Any words about idea 9.
## Memory of this run
Generation 4, best Gen3_Sol_0.
### Recommended directions
- Apply idea 2: score 3 -> 4 (Gen2_Sol_0)
### Tabu directions
- Apply idea 5: WA (Gen1_Sol_0)
- Apply idea 7: score 3 -> 2 (Gen1_Sol_0)
### Directions without a proven effect
- Apply idea 8: score 3 -> 3 (Gen1_Sol_0)
### What failed
- **Apply idea 11: WA** (rewriting, Gen1_Sol_0)
"""


def asked(model: Listener, program: str, memory: str = "") -> tuple[int, ...]:
    messages = [Message("system", memory), Message("user", f"A program:\n{program}")]
    return ideas_of(model.complete(messages).text)


def drawn(compliance: float, memory: str) -> Counter[int]:
    model = Listener(Endpoint(name=f"{compliance} seed 1"))
    return Counter(asked(model, written((1,)), memory)[-1] for _ in range(400))


def test_memory_is_read_by_its_headings() -> None:
    assert named(MEMORY) == ({2}, {5, 7, 11})
    assert named("Apply idea 3.") == (set(), set())


def test_a_program_holds_its_ideas() -> None:
    assert [ideas_of(written(ideas)) for ideas in ((), (3,), (3, 4))] == [(), (3,), (3, 4)]


def test_who_listens_takes_what_is_recommended_and_leaves_what_failed() -> None:
    deaf, listens = drawn(0.0, MEMORY), drawn(0.9, MEMORY)
    assert drawn(0.0, "") == deaf
    assert set(deaf) == set(range(IDEAS)) - {1}
    assert listens[2] > 300
    assert sum(listens[idea] for idea in (5, 7, 11)) < sum(deaf[i] for i in (5, 7, 11)) / 5


def test_a_known_idea_of_the_program_is_not_taken_again() -> None:
    model = Listener(Endpoint(name="0.9 seed 1"))
    for _ in range(50):
        found = asked(model, written((2,)), MEMORY)
        assert found[0] == 2
        assert found.count(2) == 1


def test_points_are_counted_by_idea() -> None:
    kinds = kinds_of(3)
    assert Counter(kinds) == KINDS
    worth = Worth(3)
    for kind, status, score in (
        ("good", Status.AC, 1.0),
        ("worse", Status.AC, -1.0),
        ("idle", Status.AC, 0.0),
        ("wrong", Status.WA, None),
    ):
        program = Solution(id="S", files={"main.py": written((kinds.index(kind),))})
        found = worth.evaluate(program)
        assert (found.status, found.score) == (status, score)
    assert worth.preflight(problem().initial()).evaluation.score == 0.0


def test_memory_helps_who_listens_and_changes_nothing_for_who_does_not() -> None:
    found = {
        (compliance, memory): spent("sequential_refine", compliance, 0, memory=memory)
        for compliance, memory in itertools.product((0.0, 0.9), (True, False))
    }
    assert found[0.0, True] == found[0.0, False] == found[0.9, False] < EVALUATIONS
    assert found[0.9, True] < 0.8 * found[0.9, False]


def test_the_table_says_whether_the_aim_was_met() -> None:
    rows = {
        f"random/{compliance}/{seed}": {"with": spent, "without": 100}
        for compliance, spent in ((0.0, 100), (0.9, 90))
        for seed in range(3)
    }
    lines = table(rows).splitlines()[2:]
    assert [line.split(" | ")[-1] for line in lines] == ["no worse: yes |", "at most 0.8: no |"]
