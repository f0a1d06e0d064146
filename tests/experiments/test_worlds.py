"""The made-up worlds: whoever is told something that helps, and listens, gets there sooner."""

from __future__ import annotations

import pytest

from experiments.figures.ideas import IDEAS, ideas_of, kinds_of, written
from experiments.worlds.__main__ import WORLDS
from experiments.worlds.arms import PAIRS, World, spent, table
from experiments.worlds.constraints import RuleBreaker, broken_by
from experiments.worlds.errors import (
    COUNT,
    ERRORS,
    MODES,
    PLAIN,
    Mender,
    Raising,
    errors_of,
    mending_modes,
    modes_of,
    program,
    said_of_modes,
)
from experiments.worlds.lessons import TURNED, Learner
from se_agent.chat.messages import Message
from se_agent.config.sections import Endpoint
from se_agent.program.error_template import error_template
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution

SIBLINGS = """

## Already tried on Gen1_Sol_0, without a gain
- {first} (Gen2_Sol_0)
- {second} (Gen3_Sol_0)
Do something else, or do it in a way that the result above does not rule out.

## Your task
"""


def test_rules_are_read_from_session_memory_what_failed_and_siblings() -> None:
    said = SIBLINGS.format(first="Apply idea 9: WA: never use idea 9", second="Drop idea 9")
    prompt = [
        Message("system", "- [MEDIUM] never use idea 3"),
        Message("user", "Earlier step 1"),
        Message("assistant", "Declared (step 1): Apply idea 5\nOutcome (step 1): WA on case 1"),
        Message("user", "Earlier step 2"),
        Message("assistant", "Declared (step 2): Apply idea 7\nOutcome (step 2): right"),
        Message("user", f"{written((1, 2))}{said}"),
    ]
    assert sorted(broken_by(prompt)) == [3, 5, 9]


def test_a_repair_drops_the_idea_and_names_the_rule() -> None:
    model = RuleBreaker(Endpoint(name="0.0 seed 1"))
    failed = "\n## How it fails\ngot a broken rule: never use idea 9"
    said = model.complete([Message("system", ""), Message("user", written((4, 9)) + failed)])
    assert "<api_constraint>never use idea 9</api_constraint>" in said.text
    assert ideas_of(said.text) == (4,)


def test_a_model_that_listens_keeps_to_rules_unless_it_is_misled() -> None:
    wrong = [idea for idea, kind in enumerate(kinds_of(1)) if kind == "wrong"]
    rules = Message("system", "\n".join(f"never use idea {idea}" for idea in wrong))
    task = Message("user", written(()))
    for name, kept in (("1.0 seed 1", True), ("1.0 seed 1 misled", False)):
        model = RuleBreaker(Endpoint(name=name))
        drawn = {ideas_of(model.complete([rules, task]).text)[0] for _ in range(200)}
        assert drawn.isdisjoint(wrong) == kept


def test_an_idea_fails_until_it_has_the_mode_that_mends_its_error() -> None:
    world, mending, errors = Raising(3), mending_modes(3), errors_of(3)
    templates = set()
    for idea in range(COUNT):
        for mode in (PLAIN, *MODES):
            text = program([idea], [mode])
            found = world.evaluate(Solution(id="one", files={"main.py": text}))
            if mode == PLAIN:
                assert found.status is Status.RE
                templates.add(error_template(found.feedback).words)
            else:
                right = mode == mending[errors[idea]]
                assert (found.status is Status.AC) == right
    assert len(templates) == len(ERRORS)


def test_what_mended_an_error_is_read_wherever_a_prompt_says_it() -> None:
    """Fixes of session memory, the guide of a repair, earlier repairs, and siblings."""

    def said(mode: str, error: str) -> str:
        return f"Replace `plain` by `{mode}` where it says {error}"

    tried = SIBLINGS.format(
        first=f"{said('mode_d', 'stale handle')}: WA on points", second="Apply idea 2: RE"
    )
    repair = f"\n## How it fails\nKnown fix: {said('mode_b', 'missing header')}\n"
    repair += "\n## Its parent, which is right\n"
    history = f"{said('mode_c', 'stale handle')}\n\nOutcome (step 3): WA on points"
    prompt = [
        Message("system", f"  **Solution**: {said('mode_a', 'closed channel')}"),
        Message("user", "Earlier step 3."),
        Message("assistant", history),
        Message("user", f"{program([1], [PLAIN])}{repair}{tried}"),
    ]
    assert sorted(said_of_modes(prompt)) == [
        ("mode_a", "closed channel", True),
        ("mode_b", "missing header", True),
        ("mode_c", "stale handle", False),
        ("mode_d", "stale handle", False),
    ]


def test_a_repair_takes_the_mode_that_is_known_unless_it_is_misled() -> None:
    known = "Replace `plain` by `mode_c` where it says closed channel"
    failed = "\n## How it fails\nValueError: closed channel 1000\n"
    task = Message("user", program([1, 2], ["mode_a", PLAIN]) + failed)
    for name, kept in (("1.0 seed 1", True), ("1.0 seed 1 misled", False)):
        model = Mender(Endpoint(name=name))
        made = {
            modes_of(model.complete([Message("system", known), task]).text) for _ in range(60)
        }
        assert (made == {("mode_a", "mode_c")}) == kept


def test_what_worked_and_failed_is_heard_from_memory_earlier_steps_and_siblings() -> None:
    memory = "## Memory of this run\n### Tabu directions\n- Apply idea 5: WA (Gen1_Sol_0)\n"
    tried = SIBLINGS.format(first="Apply idea 8: score 1 -> 0", second="Apply idea 9: WA")
    prompt = [
        Message("system", memory),
        Message("assistant", "Apply idea 1\nOutcome (step 1): right, score 1 better, proven"),
        Message("assistant", "Apply idea 2\nOutcome (step 2): right, score 1 worse"),
        Message("assistant", "Apply idea 3\nOutcome (step 3): right, score no change"),
        Message("user", written((4,)) + tried),
    ]
    assert Learner(Endpoint(name="0.5 seed 1")).heard(prompt) == ({1}, {2, 5, 8, 9})
    worked, failed = Learner(Endpoint(name="0.5 seed 1 stale")).heard(prompt)
    assert worked == {1 + TURNED}
    assert failed == {(idea + TURNED) % IDEAS for idea in (2, 5, 8, 9)}


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_each_arm_is_a_run_and_a_line(world: World) -> None:
    found = {arm: spent(world, arm, 0.9, 2) for arm in world.arms}
    assert found["built"]["evaluations"] < found["none"]["evaluations"]
    assert found["none"] == spent(world, "raw", 0.0, 2)
    lines = table(world, {"0.9/2": found}).splitlines()
    assert len(lines) == 2 + len(world.arms) + 3 + len(PAIRS)
