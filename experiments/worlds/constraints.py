"""The world of hidden rules: a scripted model breaks them unless they stand in its prompt.

Programs are sets of ideas (`experiments/figures/ideas.py`); eight of 24 break a rule that no
statement tells. A program that breaks one is wrong, and whoever is asked to repair it is told
which. The model takes that idea out and names the rule in a tag, `<api_constraint>`. Later it
draws anew when its idea breaks a rule that its prompt holds, as often as its compliance says.
Arms: `outcomes` is told what came of earlier steps, `raw` these steps word by word, `built`
session memory; `irrelevant` is told as much, of ideas that no program has.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from experiments.figures.ideas import IDEAS, Worth, good_ideas, ideas_of, written
from experiments.worlds.arms import BUILT, NONE, RAW, SIBLINGS, TIERS, Arm, World, model_parts
from experiments.worlds.reading import is_repair
from se_agent.chat.messages import Message, Reply, RetryCheck
from se_agent.config.sections import Endpoint
from se_agent.values.evaluation import Evaluation, FailedCase
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Solution

_RULE = re.compile(r"never use idea (\d+)")
_TRIED = re.compile(r"Apply idea (\d+)")
_FAILED = re.compile(r"^Outcome \(step \d+\): WA", re.MULTILINE)


class Ruled(Worth):
    """Counts points, and says which rule a wrong program breaks."""

    def evaluate(self, solution: Solution) -> Evaluation:
        """Say whether the program keeps to the rules, and else which one it breaks first."""
        found = super().evaluate(solution)
        broken = [i for i in ideas_of(solution.text) if self._kinds[i] == "wrong"]
        if not broken:
            return found
        case = FailedCase(
            name="points",
            expected="an answer",
            got=f"a broken rule: never use idea {broken[0]}",
        )
        return replace(found, failing=(case,))


class RuleBreaker:
    """A model called by compliance and seed, `0.9 seed 3`; `0.9 seed 3 misled` misreads rules.

    A misled one takes each rule for that of an idea which no program here has: its prompts are
    as long as those of a model that is told the rules, and of no use.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._compliance, self._seed, misread = model_parts(endpoint.name)
        self._turned = IDEAS if misread else 0
        self._numbers = itertools.count()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Take out the idea that breaks a rule, or add one."""
        number, task = next(self._numbers), messages[-1].content
        ideas = ideas_of(task)
        told = _RULE.search(task) if is_repair(task) else None
        if told:
            idea = int(told[1])
            rule = f"<api_constraint>never use idea {idea}</api_constraint>\n\n"
            return _answer(f"Drop idea {idea}", [i for i in ideas if i != idea], number, rule)
        idea = self._drawn(number, [i for i in range(IDEAS) if i not in ideas], messages)
        return _answer(f"Apply idea {idea}", [*ideas, idea], number)

    def close(self) -> None:
        """Nothing is under way."""

    def _drawn(self, number: int, absent: Sequence[int], messages: Sequence[Message]) -> int:
        """Draw an idea at the address of the call; rules count by compliance."""
        rng = rng_at(self._seed, number, Purpose.MODEL)
        known = {idea + self._turned for idea in broken_by(messages)}
        idea = absent[int(rng.integers(len(absent)))]
        while (
            not known.issuperset(absent) and idea in known and rng.random() < self._compliance
        ):
            idea = absent[int(rng.integers(len(absent)))]
        return idea


def broken_by(messages: Sequence[Message]) -> Iterator[int]:
    """Yield the ideas of which a prompt says that they break a rule."""
    for message in (messages[0], messages[-1]):
        yield from map(int, _RULE.findall(message.content))
    for message in messages[1:-1]:
        if message.role == "assistant" and _FAILED.search(message.content):
            yield from map(int, _TRIED.findall(message.content))


def _answer(direction: str, ideas: Sequence[int], number: int, words: str = "") -> Reply:
    told = json.dumps({"direction": direction, "expected_effect": "a point more"})
    program = written(ideas, number)
    return Reply(text=f"{words}```json\n{told}\n```\n\n```python\n{program}```\n")


CONSTRAINTS = World(
    name="constraints",
    arms={
        NONE: Arm(),
        "outcomes": Arm(memory={"context": {"history": "outcomes"}}),
        RAW: Arm(memory={"context": {"history": "full"}}),
        BUILT: Arm(memory={"session": {"shown": True}}),
        "irrelevant": Arm(memory={"session": {"shown": True}}, misread="misled"),
        SIBLINGS: Arm(siblings=True),
        TIERS: Arm(
            memory={"local": {}, "context": {"history": "full"}, "session": {"shown": True}}
        ),
    },
    provider="experiments.worlds.constraints:RuleBreaker",
    evaluator=Ruled,
    wanted=good_ideas,
    policy="portfolio",
    operators=("rewriting", "repair"),
)

if TYPE_CHECKING:
    from se_agent.protocols import Evaluator, Model

    _evaluator: Evaluator = Ruled(0)
    _model: Model = RuleBreaker(Endpoint(name="0.5 seed 0"))
