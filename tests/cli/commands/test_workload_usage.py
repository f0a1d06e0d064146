"""What a model is told of a workload that goes through a package of three files."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.config.sections import Endpoint
from se_agent.llm.scripted import Conversation, ScriptedModel
from tests.cli.calls import call

FILES = {
    "shop/__init__.py": "",
    "shop/front.py": """\
from shop.stock import find


def page(items, known):
    return [find(item, known) for item in items]
""",
    "shop/stock.py": """\
from shop.words import fold


def find(item, known):
    return fold(item) in [fold(word) for word in known]
""",
    "shop/words.py": """\
def fold(word):
    return "".join(sorted(word.lower()))
""",
    "use.py": """\
SIZES = [20, 40, 80]


def generate(rng, size):
    words = ["".join(rng.choices("abCD", k=6)) for _ in range(2 * size)]
    return words[:size], words[size:]


def workload(items, known):
    from shop.front import page

    return page(items, known)
""",
}
asked: list[Conversation] = []


def scripted(endpoint: Endpoint) -> ScriptedModel:
    def said(conversation: Conversation) -> str:
        asked.append(conversation)
        return '{"direction": "none"}'

    return ScriptedModel(said)


@pytest.mark.tier("runs")
def test_the_prompt_shows_the_hot_path_and_what_is_sent_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    asked.clear()
    settings = (
        *("models.main.name=any", f"models.main.provider={__name__}:scripted"),
        *('operators=["mutation"]', "budget.calls=1", "measure.self_test_blocks=1"),
    )
    options = [word for setting in settings for word in ("--set", setting)]
    call("optimize", "shop/stock.py:find", "--workload", "use.py:workload", *options)
    system = asked[0][0].content
    assert "### How it is used" in system
    assert "return page(items, known)" in system
    assert "find(item: str, length 6, known: list, length 80 of str)" in system
    assert "page of shop/front.py, line 4, calls it; it stays as it is:" in system
    assert "return [find(item, known) for item in items]" in system
    assert "fold of shop/words.py, line 1, called by it; it stays as it is:" in system
    assert 'return "".join(sorted(word.lower()))' in system
