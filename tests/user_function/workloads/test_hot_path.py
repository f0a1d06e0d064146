"""The hot path of a workload: whom it is told of, and from which text."""

from __future__ import annotations

from pathlib import Path

from se_agent.user_function.advisor.costs import Cost, FunctionPlace
from se_agent.user_function.module import Module
from se_agent.user_function.workloads.hot_path import hot_path
from se_agent.user_function.workloads.targets import Target
from se_agent.values.usage import PathRole

ROOT = "/srv/shop"
FRONT, STOCK, WORDS = (f"{ROOT}/shop/{name}.py" for name in ("front", "stock", "words"))
USE = f"{ROOT}/use.py"
TEXTS = {
    FRONT: "def page(items):\n    return [find(item) for item in items]\n",
    WORDS: "import re\n\n\ndef fold(word):\n    return re.sub('a', 'b', word)\n",
}
TARGET = Target(
    module=Module(path=Path(STOCK), text="", root=Path(ROOT), name="shop.stock"),
    names=("find",),
)


def place(file: str, name: str) -> FunctionPlace:
    return FunctionPlace(file, name)


COSTS = {
    place(USE, "workload"): Cost(1, 1, 0.0, 10.0, {place(FRONT, "page"): 9.9}),
    place(FRONT, "page"): Cost(1, 1, 0.1, 9.9, {place(STOCK, "find"): 9.0}),
    place(STOCK, "find"): Cost(
        3,
        40,
        4.0,
        9.0,
        {place(WORDS, "fold"): 4.0, place(WORDS, "rare"): 0.01, place("~", "<len>"): 0.9},
    ),
    place(WORDS, "fold"): Cost(4, 400, 4.0, 4.0),
    place(WORDS, "rare"): Cost(9, 1, 0.01, 0.01),
    place("~", "<len>"): Cost(0, 400, 0.9, 0.9),
}


def test_callers_and_callees_of_other_files_are_told_with_their_source() -> None:
    path = hot_path(COSTS, [TARGET], USE, TEXTS.get)
    assert [(one.name, one.file, one.relation, round(one.share, 2)) for one in path] == [
        ("page", "shop/front.py", PathRole.CALLER, 0.99),
        ("find", "shop/stock.py", PathRole.TARGET, 0.9),
        ("fold", "shop/words.py", PathRole.CALLEE, 0.4),
    ]
    assert path[0].text == TEXTS[FRONT].rstrip()
    assert path[1].text == "", "it is in the program that is shown"
    assert path[2].text.startswith("def fold(word):")


def test_a_long_function_is_told_in_part() -> None:
    long = "def fold(word):\n" + "    word += 'a long line of text'\n" * 400
    path = hot_path(COSTS, [TARGET], USE, {WORDS: f"\n\n\n{long}"}.get)
    assert len(path[2].text) < 4100
    assert path[2].text.endswith("more lines ...]")


def test_nothing_is_told_of_an_empty_profile() -> None:
    assert hot_path({}, [TARGET], USE, TEXTS.get) == ()
