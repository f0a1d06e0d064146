from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.user_function.workloads.targets import editable_of, find_targets

MODULE = """\
import functools

def plain():
    def inner():
        pass

async def waits(): pass

class Reader:
    def next(self): pass
    class Part:
        def size(self): pass

if True:
    def either(): pass

made = functools.partial(plain)
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "stock.py").write_text(MODULE, encoding="utf-8")
    return tmp_path / "shop" / "stock.py"


@pytest.mark.parametrize(
    "name", ["plain", "waits", "Reader", "Reader.next", "Reader.Part.size", "either"]
)
def test_functions_classes_and_methods_are_found(module: Path, name: str) -> None:
    (target,) = find_targets([f"{module}:{name}"])
    assert (target.names, target.path) == ((name,), "shop/stock.py")
    assert editable_of([target]) == name


def test_a_file_alone_is_all_of_it(module: Path) -> None:
    (target,) = find_targets([f"{module}:plain", str(module)])
    assert (target.names, editable_of([target])) == ((), "")


def test_names_of_one_file_are_one_target(module: Path) -> None:
    other = module.with_name("other.py")
    other.write_text("def g(): pass\n", encoding="utf-8")
    targets = find_targets([f"{module}:plain", str(other), f"{module}:Reader.next"])
    assert [target.names for target in targets] == [("plain", "Reader.next"), ()]
    expected = "shop/stock.py:plain shop/stock.py:Reader.next shop/other.py:"
    assert editable_of(targets) == expected


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        pytest.param(
            "plian", "there is no function or class 'plian'", "did you mean 'plain'", id="typo"
        ),
        pytest.param("plain.inner", "there is no function or class", "", id="nested"),
        pytest.param(
            "made", "stock.py:17: 'made' is made as the module runs", "all of the", id="made"
        ),
        pytest.param("a b", "not FILE.py:NAME", "such as", id="no-name"),
    ],
)
def test_others_are_refused(module: Path, name: str, message: str, hint: str) -> None:
    with pytest.raises(ProblemError, match=message) as caught:
        find_targets([f"{module}:{name}"])
    assert hint in str(caught.value.hint)


@pytest.mark.parametrize("file", ["shop.stock:", "shop/stock.py::"])
def test_another_spelling_of_the_file_is_told_the_right_one(
    module: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.chdir(module.parent.parent)
    with pytest.raises(ProblemError, match=r"not FILE\.py:NAME") as caught:
        find_targets([f"{file}Reader.next"])
    assert caught.value.hint == "did you mean 'shop/stock.py:Reader.next'?"


def test_what_a_target_calls_in_its_file_may_change_with_it(module: Path) -> None:
    module.write_text("def f(): return g()\n\ndef g(): pass\n", encoding="utf-8")
    (target,) = find_targets([f"{module}:f"])
    assert (target.names, target.spoken) == (("f",), "stock.py:f")
    assert editable_of([target]) == "f g"
