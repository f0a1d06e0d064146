"""Files that are kept back from programs, the hint that names one, and `--open`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import call, two_lines
from tests.cli.shop import IN_VAIN, STOCK, TESTS, optimize

VERSION = "LIMIT = 3000\n"


@pytest.fixture
def limits(stock: Path) -> Path:
    """A module beside the others that git ignores; without it nothing can be loaded."""
    folder = stock.parent
    (folder / ".gitignore").write_text("_limits.py\n", encoding="utf-8")
    (folder / "_limits.py").write_text(VERSION, encoding="utf-8")
    stock.write_text(
        STOCK.replace("LIMIT = 3000", "from ._limits import LIMIT"), encoding="utf-8"
    )
    return folder / "_limits.py"


def test_the_hint_names_the_file_that_a_module_needs(limits: Path) -> None:
    hint = f"{limits} is kept back from programs; show it with --open {limits}"
    for called in (
        optimize("--inputs", "inputs.py:lists"),
        call("prove", *["shop/stock.py:missing"] * 2, "--inputs", "inputs.py:lists"),
    ):
        error, told = two_lines(called)
        assert "_limits" in error
        assert told.endswith(hint)


def test_a_file_that_is_opened_is_shown_to_programs_and_the_users_tests(limits: Path) -> None:
    Path("test_shop.py").write_text(TESTS, encoding="utf-8")
    called = optimize("--tests", "test_shop.py")
    assert called.code == 2
    assert f"show it with --open {limits}\n" in called.err
    called = optimize(*IN_VAIN, "--tests", "test_shop.py", "--open", str(limits))
    assert called.code == 0, called
    assert "the tests pass" in called.out


def test_the_hint_of_the_tests_finds_modules_below_src(limits: Path) -> None:
    Path("src").mkdir()
    limits.parent.rename("src/shop")
    tests = "import sys; sys.path.insert(0, 'src')\n" + TESTS
    Path("test_shop.py").write_text(tests, encoding="utf-8")
    called = optimize("--tests", "test_shop.py", function="src/shop/stock.py:missing")
    assert called.code == 2
    assert called.err.endswith(f"show it with --open {Path('src/shop/_limits.py').resolve()}\n")


@pytest.fixture
def table(stock: Path) -> Path:
    """A file that the module reads as it is loaded, beside the folder of its package."""
    path = stock.parents[1].resolve() / "table"
    path.write_text("3000", encoding="utf-8")
    Path("src").mkdir()
    stock.parent.rename("src/shop")
    read = "LIMIT = int(open(__file__.partition('/src')[0] + '/table').read())"
    text = STOCK.replace("LIMIT = 3000", read)
    Path("src/shop/stock.py").write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("isolation", ["jail", "namespace"])
def test_a_file_beside_the_folder_of_modules_is_named_and_can_be_opened(
    table: Path, isolation: str
) -> None:
    function = "src/shop/stock.py:missing"
    inputs = (*IN_VAIN, "--set", f"sandbox.isolation={isolation}")
    error, told = two_lines(optimize(*inputs, function=function))
    assert str(table) in error
    assert told.endswith(f"{table} is not shown to programs; show it with --open {table}")
    called = optimize(*inputs, "--open", "table", function=function)
    assert called.code == 0, called


def test_a_file_that_a_program_would_find_in_this_folder_is_told(table: Path) -> None:
    module = Path("src/shop/stock.py")
    text = STOCK.replace("LIMIT = 3000", "LIMIT = int(open('table').read())")
    module.write_text(text, encoding="utf-8")
    error, told = two_lines(
        optimize("--inputs", "inputs.py:lists", function="src/shop/stock.py:missing")
    )
    assert error.endswith("No such file or directory: 'table'")
    assert told.endswith("not run in this folder: let them find 'table' by __file__")


def test_what_is_to_be_opened_has_to_be_there(stock: Path) -> None:
    called = optimize("--inputs", "inputs.py:lists", "--open", "nowhere")
    error, told = two_lines(called)
    assert error.endswith("--open nowhere: No such file or folder")
    assert told.endswith("give one that programs need, and are not shown")


def test_keys_are_not_opened(stock: Path) -> None:
    called = optimize("--inputs", "inputs.py:lists", "--open", "~/.ssh/id_rsa")
    assert (called.code, "will not be opened" in called.err) == (2, True)
