"""The made-up world of hidden rules: whoever is told of one, and listens, breaks it less."""

from __future__ import annotations

from experiments.figures.ideas import ideas_of, kinds_of, written
from experiments.worlds.arms import ARMS, spent, table
from experiments.worlds.constraints import RuleBreaker, broken_by
from se_agent.chat.messages import Message
from se_agent.config.sections import Endpoint


def test_rules_are_read_from_session_memory_and_from_what_failed() -> None:
    prompt = [
        Message("system", "- [MEDIUM] never use idea 3"),
        Message("user", "Earlier step 1"),
        Message("assistant", "Declared (step 1): Apply idea 5\nOutcome (step 1): WA on case 1"),
        Message("user", "Earlier step 2"),
        Message("assistant", "Declared (step 2): Apply idea 7\nOutcome (step 2): right"),
        Message("user", written((1, 2))),
    ]
    assert [*broken_by(prompt)] == [3, 5]


def test_a_repair_drops_the_idea_and_names_the_rule() -> None:
    model = RuleBreaker(Endpoint(name="0.0 seed 1"))
    task = Message("user", f"{written((4, 9))} got a broken rule: never use idea 9")
    said = model.complete([Message("system", ""), task]).text
    assert "<api_constraint>never use idea 9</api_constraint>" in said
    assert ideas_of(said) == (4,)


def test_a_model_that_listens_keeps_to_rules_unless_it_is_misled() -> None:
    wrong = [idea for idea, kind in enumerate(kinds_of(1)) if kind == "wrong"]
    rules = Message("system", "\n".join(f"never use idea {idea}" for idea in wrong))
    task = Message("user", written(()))
    for name, kept in (("1.0 seed 1", True), ("1.0 seed 1 misled", False)):
        model = RuleBreaker(Endpoint(name=name))
        drawn = {ideas_of(model.complete([rules, task]).text)[0] for _ in range(200)}
        assert drawn.isdisjoint(wrong) == kept


def test_each_arm_is_a_run_and_a_line() -> None:
    found = {arm: spent(arm, 0.9, 1) for arm in ARMS}
    assert found["built"]["wrong"] < found["none"]["wrong"]
    assert len(table({"0.9/1": found}).splitlines()) == 2 + len(ARMS)
