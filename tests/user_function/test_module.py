"""Reading a user's file, and finding out how it is imported."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.user_function.module import read
from tests.ordinary_user import needs_root, python


def written(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"none\.py: No such file"):
        read(tmp_path / "none.py")
    with pytest.raises(ProblemError, match=r"bad\.py:1: not valid Python"):
        read(written(tmp_path / "bad.py", "def f(:\n"))


def test_a_misspelt_file_is_told_which_one_is_near(tmp_path: Path) -> None:
    written(tmp_path / "pricing.py")
    with pytest.raises(ProblemError, match="No such file") as caught:
        read(tmp_path / "pricng.py")
    assert caught.value.hint.endswith("pricing.py'?")


@pytest.mark.parametrize("name", ["fast.cpp", "fast.rs", "notes.txt"])
def test_a_file_in_another_language_is_told_where_to_go(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, "int twice(int n) { return 2 * n; }\n")
    with pytest.raises(ProblemError, match=rf"{name}: not a Python file: `prove`") as caught:
        read(path)
    assert "`stdio` problem" in caught.value.hint


def test_a_module_knows_the_package_that_it_is_in(tmp_path: Path) -> None:
    written(tmp_path / "shop" / "__init__.py")
    written(tmp_path / "shop" / "stock" / "__init__.py")
    module = read(written(tmp_path / "shop" / "stock" / "count.py"))
    assert (module.name, module.package) == ("shop.stock.count", "shop.stock")
    assert module.root == tmp_path
    assert module.needs_root


def test_a_package_is_a_module_too(tmp_path: Path) -> None:
    module = read(written(tmp_path / "shop" / "__init__.py"))
    assert (module.name, module.package, module.root) == ("shop", "shop", tmp_path)


def test_relative_imports_show_a_package_without_init(tmp_path: Path) -> None:
    module = read(written(tmp_path / "shop" / "count.py", "from .prices import price\n"))
    assert (module.name, module.root) == ("shop.count", tmp_path)


def test_what_lies_beside_the_file_is_told_from_what_is_installed(tmp_path: Path) -> None:
    path = written(
        tmp_path / "tools.py", "import json, numpy.linalg\nfrom shapes import area\n"
    )
    assert read(path).imports == ("numpy", "shapes")
    assert not read(path).needs_root
    written(tmp_path / "shapes.py")
    assert read(path).imports == ("numpy",)
    assert read(path).needs_root


def test_a_file_that_left_its_package_says_where_it_belongs(tmp_path: Path) -> None:
    """Such as the winner of a run, in the run's folder."""
    folder = tmp_path / "shop.f-20260101"
    folder.mkdir()
    (folder / "best.py").write_text("from .stock import names\n", encoding="utf-8")
    with pytest.raises(ProblemError, match="it imports from its package, and lies in none"):
        read(folder / "best.py")


ASKING = """
from pathlib import Path
from se_agent.errors import ProblemError
from se_agent.user_function.module import read
try:
    read(Path({path!r}))
except ProblemError as err:
    print(err, err.hint, sep="\\n")
"""


@needs_root
def test_a_file_that_may_not_be_read_is_told_how_to_be() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        path = Path(name, "secret.py")
        path.parent.chmod(0o755)
        path.write_text("x = 1\n", encoding="utf-8")
        path.chmod(0)
        told = python("-c", ASKING.format(path=str(path))).stdout
    assert told.splitlines() == [
        f"{path}: Permission denied",
        f"let yourself read it: chmod u+r {path}",
    ]
