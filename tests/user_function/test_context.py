"""A module made to run elsewhere, as it would at home. Each runs in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from se_agent.user_function.context import prelude, program
from se_agent.user_function.function import find

MODULE = """\
from __future__ import annotations
from dataclasses import dataclass
from .prices import price
from . import again
FACTOR = 2
@dataclass
class Row:
    name: str
    count: ClassVar[int] = 0
def total(names):
    global FACTOR
    FACTOR += 1
    return [Row(n).name for n in names], sum(map(price, names)) * FACTOR, again.back()
def other(names):
    return "other"
"""


AGAIN = """\
def back():
    from shop import stock
    return stock.FACTOR, stock.__name__
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    for name, text in {
        "__init__": "from .stock import total",
        "prices": "def price(name): return len(name)",
        "again": AGAIN,
        "stock": MODULE,
    }.items():
        (tmp_path / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    return tmp_path / "shop" / "stock.py"


def called(*texts: str, root: Path, entry: str = "total") -> object:
    """Run the texts as the jail does, in a module named `candidate`, and call the entry."""
    script = (
        "import json, sys, types\n"
        "module = types.ModuleType('main')\n"
        "sys.modules['main'] = module\n"
        f"sys.path.insert(0, {str(root)!r})\n"
        f"for text in {list(texts)!r}:\n"
        "    exec(compile(text, 'main.py', 'exec', dont_inherit=True), module.__dict__)\n"
        f"print(json.dumps(module.{entry}(['a', 'bc'])))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


EXPECTED = [["a", "bc"], 9, [3, "shop.stock"]]


def test_a_program_after_its_prelude_is_the_module(shop: Path) -> None:
    module = find(f"{shop}:total").module
    assert called(prelude(module), module.text, root=shop.parents[1]) == EXPECTED


def test_what_the_program_changed_is_what_its_package_sees(shop: Path) -> None:
    module = find(f"{shop}:total").module
    changed = module.text.replace("FACTOR = 2", "FACTOR = 5")
    answer = called(prelude(module), changed, root=shop.parents[1])
    assert answer == [["a", "bc"], 18, [6, "shop.stock"]]


def test_a_whole_module_is_a_program_with_an_entry_point(shop: Path) -> None:
    target = find(f"{shop}:total")
    assert called(program(target, "f"), root=shop.parents[1], entry="f") == EXPECTED


def test_the_text_that_was_read_runs_not_the_file(shop: Path) -> None:
    target = find(f"{shop}:other")
    shop.write_text(MODULE.replace('"other"', '"another"'), encoding="utf-8")
    assert called(program(target, "f"), root=shop.parents[1], entry="f") == "other"


def test_a_lone_file_needs_no_package(tmp_path: Path) -> None:
    path = tmp_path / "tools.py"
    path.write_text("def f(names): return __name__, len(names)\n", encoding="utf-8")
    target = find(f"{path}:f")
    assert called(program(target, "g"), root=Path("/"), entry="g") == ["tools", 2]
    assert called(prelude(target.module), target.module.text, root=Path("/"), entry="f") == [
        "tools",
        2,
    ]
