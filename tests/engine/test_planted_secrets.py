"""Secrets that failing programs and models spill: none is in what a run keeps or sends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import ClassVar

import pytest

from se_agent.chat.messages import Message, Reply
from se_agent.engine.run.start import start
from se_agent.memory import Workspace, back_up_all
from se_agent.redaction.patterns import reply_free_of_named
from se_agent.values.evaluation import ComparisonKind, Evaluation, FailedCase, Status
from se_agent.values.solution import Solution
from tests.cli.calls import call
from tests.engine.models.test_keys import left_of
from tests.engine.talkative import Reading, Verbose, config_of
from tests.fakes import number, number_problem
from tests.redaction.planted import PLANTED

PAIRS = [pair for kind in PLANTED.values() for pair in kind]
SECRETS = sorted({line for secret, _ in PAIRS for line in secret.splitlines()})


class Spilling(Verbose):
    """Says secrets of all kinds in whatever it says of a wrong program."""

    said: ClassVar[Iterator[int]] = count()

    def evaluate(self, solution: Solution) -> Evaluation:
        found = super().evaluate(solution)
        if found.status is Status.AC:
            return found
        at = 8 * next(self.said)
        texts = [text for _, text in (PAIRS * 9)[at : at + 8]]
        case = FailedCase(name="one", input=texts[0], expected=texts[1], got=texts[2])
        told = "\n".join(texts)
        return replace(
            found,
            feedback=f"it says\n{told}",
            failing=(case,),
            full_output=f"{number(solution)}\n{told}\n" * 200,
        )


class Blabbing(Reading):
    """Says secrets in its replies, beside the change; `sent` is all that it was told."""

    sent: ClassVar[list[str]] = []
    wants: ClassVar[list[dict[str, object]]] = []

    def complete(self, messages: tuple[Message, ...], **more: object) -> Reply:  # type: ignore[override]
        self.sent.extend(message.content for message in messages)
        task = next(
            m for m in reversed(messages) if re.search("^x = ", m.content, re.MULTILINE)
        )
        reply = super().complete((messages[0], task), **more)  # type: ignore[arg-type]
        text = PAIRS[len(self.asked) % len(PAIRS)][1]
        return replace(reply, text=reply.text.replace("<<<<", f"\n{text}\n<<<<", 1))


@pytest.mark.tier("runs")
@pytest.mark.row("AM-48")
def test_none_of_forty_is_in_what_is_kept_or_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n, (secret, _) in enumerate(PAIRS):
        monkeypatch.setenv(f"MY_{n}_SECRET", secret)
    models = {"main": {"name": "any", "provider": "tests.engine.test_planted_secrets:Blabbing"}}
    memory = {"prior": False, "session": {"shown": True}, "context": {"history": "full"}}
    config = config_of(tmp_path / "results", models=models, memory=memory, budget={"calls": 14})
    result = start(
        config,
        problem=number_problem(),
        evaluators=lambda problem, config: Spilling(ComparisonKind.EXACT),
    )
    with Workspace.open(tmp_path / "results" / ".se_agent") as workspace:
        made = back_up_all(workspace, datetime.now(UTC))
    assert made.files > 3
    call("export", result.run, "--format", "jsonl", "--to", tmp_path / "export")
    prompts = Blabbing.sent
    assert sum("***" in text for text in prompts) > 5, "some were taken out"
    kept = [data.decode("utf-8", "replace") for data in left_of(tmp_path)]
    assert any("How it fails" in text for text in prompts)
    assert [s for s in SECRETS for text in (*prompts, *kept) if s in text] == []


@pytest.mark.tier("runs")
@pytest.mark.row("AM-48")
@pytest.mark.parametrize("kind", PLANTED)
def test_what_no_environment_knows_is_told_by_its_shape(tmp_path: Path, kind: str) -> None:
    """The same without a variable that holds them."""

    class Telling(Spilling):
        said: ClassVar[Iterator[int]] = count()

        def evaluate(self, solution: Solution) -> Evaluation:
            found = super().evaluate(solution)
            if found.status is Status.AC:
                return found
            told = "\n".join(text for _, text in PLANTED[kind])
            return replace(found, feedback=told)

    start(
        config_of(tmp_path, budget={"calls": 4}),
        problem=number_problem(),
        evaluators=lambda problem, config: Telling(ComparisonKind.EXACT),
    )
    prompts = [m.content for talk in Reading.asked for m in talk]
    assert any("How it fails" in text for text in prompts)
    kept = [data.decode("utf-8", "replace") for data in left_of(tmp_path)]
    assert [s for s in SECRETS for text in (*prompts, *kept) if s in text] == []


class TestAReply:
    CODE = "rows.sort(key=operator.itemgetter(1))\npassword = 'abcd1234efgh'\n"

    @pytest.mark.parametrize(
        "reply",
        [
            f"```python\n{CODE}```\n",
            f"<<<<<<< SEARCH\n{CODE}=======\n{CODE}>>>>>>> REPLACE\n",
            CODE,
        ],
    )
    def test_its_program_is_exact(self, reply: str) -> None:
        assert reply_free_of_named(reply) == reply

    @pytest.mark.parametrize("form", ["{}\n```python\n1\n```", "```json\n{}\n```", "{{{}}}"])
    def test_what_it_says_beside_is_free_of_them(self, form: str) -> None:
        told = form.format('"password": "abcd1234efgh"')
        assert reply_free_of_named(told) == told.replace("abcd1234efgh", "***")

    def test_the_keys_of_directions_stay(self) -> None:
        told = '{"updated_directions": [{"key": "c5b2d526fa62", "outcome": "Neutral"}]}'
        assert reply_free_of_named(told) == told
        longer = told.replace("fa62", "fa62f1e0")
        assert reply_free_of_named(longer) == told.replace("c5b2d526fa62", "***")
