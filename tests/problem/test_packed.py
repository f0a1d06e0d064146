"""Packages whose modules are replaced: each runs in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from se_agent.problem.model import PackageModule, Workload
from se_agent.problem.packed import packed_text

USE = """\
from shop import taken, total

def workload(n):
    import shop.late
    return [total(n), taken(), shop.late.back(), total.__module__]
"""


def packed(folder: Path, files: dict[str, str], text: str = USE) -> str:
    modules = {
        path: PackageModule(
            name=path.removesuffix(".py").removesuffix("/__init__").replace("/", "."),
            file=str(folder / path),
        )
        for path in files
    }
    use = Workload(
        name="use",
        package="",
        file=str(folder / "use.py"),
        text=text,
        function="workload",
        modules=modules,
    )
    return packed_text(use, files, "entry")


def called(folder: Path, program: str, then: str = "entry(2)") -> object:
    """Run a program as the jail does and return what an expression gives."""
    script = (
        f"import json, sys\nsys.path.insert(0, {str(folder)!r})\nspace = {{}}\n"
        f"exec({program!r}, space)\nprint(json.dumps(eval({then!r}, space)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.splitlines()[-1]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    for name, text in {
        "__init__": "from .stock import total\nfrom .other import taken\n",
        "stock": "def total(n): return 'old'\n",
        "other": "from .stock import total\ndef taken(): return total(0)\n",
        "late": "from shop import stock\ndef back(): return stock.total(1), stock.__file__\n",
    }.items():
        (tmp_path / "shop" / f"{name}.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_all_who_took_a_function_by_name_get_the_new_one(shop: Path) -> None:
    text = packed(shop, {"shop/stock.py": "def total(n): return 'new'\n"})
    place = str(shop / "shop" / "stock.py")
    assert called(shop, text) == ["new", "new", ["new", place], "shop.stock"]


def test_several_modules_are_replaced_together(shop: Path) -> None:
    files = {
        "shop/stock.py": "def total(n): return 'new'\n",
        "shop/other.py": "def taken(): return 'other'\n",
    }
    assert called(shop, packed(shop, files), "entry(2)[:2]") == ["new", "other"]


def test_a_package_itself_is_replaced_and_keeps_its_modules(shop: Path) -> None:
    text = "from .late import back\ntotal = taken = lambda *n: 'whole'\n"
    program = packed(shop, {"shop/__init__.py": text})
    assert called(shop, program, "entry(2)[:2]") == ["whole", "whole"]


def test_no_module_is_needed_where_it_was(tmp_path: Path) -> None:
    use = "def workload(n):\n    from alone import f\n    return f(n)\n"
    program = packed(tmp_path, {"alone.py": "def f(n): return n + 1\n"}, use)
    assert called(tmp_path, program) == 3


def test_what_the_workload_imports_as_it_runs_is_loaded_before(shop: Path) -> None:
    text = packed(shop, {"shop/stock.py": "def total(n): return 1\n"})
    assert called(shop, text, "'shop.late' in __import__('sys').modules") is True


def test_a_module_that_was_imported_already_is_an_error(shop: Path) -> None:
    text = packed(shop, {"shop/stock.py": "def total(n): return 1\n"})
    told = called(shop, f"import shop\n{text}")
    assert told == "ImportError: shop.stock was imported before the program was there"


def test_texts_are_told_by_path(shop: Path) -> None:
    text = "def total(n): return 1\n"
    program = packed(shop, {"shop/stock.py": text})
    assert called(shop, program, "_sources") == {"shop/stock.py": text}
