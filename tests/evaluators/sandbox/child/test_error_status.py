"""What an exception of a candidate is called, whatever its class claims to be."""

from __future__ import annotations

import json

import pytest

from evaluators.sandbox.child.error_status import brief, lineage
from evaluators.sandbox.server.fork_server import ForkServer
from tests.contracts.sandbox import call


class Claiming(type):
    """A class of classes that answers as it likes."""

    __name__ = "ValueError"

    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return hash(ValueError)


def claiming(module: str, name: str = "E", *, by: type[type] = type) -> Exception:
    made: Exception = by(name, (Exception,), {"__module__": module})("x")
    return made


@pytest.mark.parametrize(
    "error",
    [
        claiming("ValueError:"),
        claiming("", "ValueError"),
        claiming("ValueError: "),
        claiming("builtins", "ValueError"),
        claiming("m", by=Claiming),
    ],
)
def test_no_class_passes_for_another(error: Exception) -> None:
    assert brief(error).partition(":")[0] != "ValueError"


def test_types_are_named_with_their_modules() -> None:
    assert brief(ValueError("no")) == "ValueError: no"
    assert brief(json.JSONDecodeError("a", "b", 0)).startswith(
        "json.decoder.JSONDecodeError: a"
    )


class MappedError(KeyError):
    """One of ours, which is found where it says that it is."""


def test_a_lineage_names_all_classes() -> None:
    assert lineage(MappedError()) == (
        f"{__name__}.MappedError < KeyError < LookupError < Exception < BaseException < object"
    )


def test_a_long_name_hides_no_bases() -> None:
    named = [type("L" * 600, (base,), {}) for base in (KeyError, ValueError)]
    assert lineage(named[0]()) != lineage(named[1]())


@pytest.mark.parametrize("module", ["builtins", "json.decoder", "nowhere", __name__])
def test_a_class_is_not_what_it_only_calls_itself(module: str) -> None:
    forged = type("JSONDecodeError", (ValueError,), {"__module__": module})
    assert lineage(forged()).startswith(f"~{module}.JSONDecodeError < ValueError <")


OWN = """
import sys
sys.modules[{name!r}] = sys.modules[__name__]
__name__ = {name!r}
class StockError(ValueError): pass
def f(): raise StockError("none left")
"""


def test_two_files_that_define_the_same_class_raise_the_same(jail: ForkServer) -> None:
    old, new = (
        jail.run(call(OWN.format(name=name), keep_errors=True)).answers[0]
        for name in ("old", "new")
    )
    assert (old.error, old.lineage) == (new.error, new.lineage)
    assert old.error == "main.StockError: none left"
