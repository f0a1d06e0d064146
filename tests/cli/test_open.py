"""Files that are kept back from programs, the hint that names one, and `--open`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import call, two_lines
from tests.cli.shop import STOCK, TESTS, optimize

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


def test_a_file_that_is_opened_is_shown(limits: Path) -> None:
    called = optimize("--inputs", "inputs.py:lists", "--open", str(limits))
    assert called.code == 0, called


def test_the_users_tests_run_without_what_is_kept_back(limits: Path) -> None:
    Path("test_shop.py").write_text(TESTS, encoding="utf-8")
    called = optimize("--tests", "test_shop.py")
    assert called.code == 2
    assert f"show it with --open {limits}\n" in called.err
    assert optimize("--tests", "test_shop.py", "--open", "shop/_limits.py").code == 0


def test_what_is_to_be_opened_has_to_be_there(stock: Path) -> None:
    called = optimize("--inputs", "inputs.py:lists", "--open", "nowhere")
    error, told = two_lines(called)
    assert error.endswith("--open nowhere: No such file or folder")
    assert told.endswith("give one of the project that programs need, and that is kept back")


def test_keys_are_not_opened(stock: Path) -> None:
    called = optimize("--inputs", "inputs.py:lists", "--open", "~/.ssh/id_rsa")
    assert (called.code, "will not be opened" in called.err) == (2, True)
