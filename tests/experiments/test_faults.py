"""The study of planted faults: what is drawn, where it is planted, and which tests are near."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from experiments.faults.choice import MOST, Choice
from experiments.faults.draw import Planted, changed, draw, shares, tells
from experiments.faults.meet import FAST, OTHERS, of_tiers, settled
from experiments.faults.probe import at, probed
from experiments.faults.report import by_room, fates
from tests.tiers import NAMES

MODULE = '''"""A module."""

_MOST = 3


def sign(number: int) -> int:
    """Return the sign."""
    if number > 0:
        return 1
    elif number == 0:
        return 0
    return -1


def few(number: int) -> bool:
    return number < _MOST
'''


SIGNS = "se_agent/values/signs.py"


def planted(number: int = 1, *, line: int = 8, old: str = "", new: str = "") -> Planted:
    return Planted(
        number=number,
        room="se_agent/values",
        file=SIGNS,
        line=line,
        kind="comparison",
        function="sign",
        old=old,
        new=new,
    )


class TestShares:
    def test_every_room_has_one_and_large_ones_have_more(self) -> None:
        assert shares({"a": 10_000, "b": 100, "c": 1, "none": 0}, 13) == {
            "a": 11,
            "b": 1,
            "c": 1,
        }

    def test_texts_of_one_kind_are_a_handful(self) -> None:
        library = "operators/known_functions/library"
        assert shares({library: 10**9, "a": 100}, 20) == {library: 5, "a": 15}


class TestDraw:
    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        room = tmp_path / "se_agent" / "values"
        room.mkdir(parents=True)
        (room / "signs.py").write_text(MODULE)
        return tmp_path

    def test_the_same_seed_gives_the_same_faults(self, root: Path) -> None:
        first = draw(root, 2, seed=4)
        assert first == draw(root, 2, seed=4)
        assert [fault.number for fault in first] == [1, 2]

    def test_those_of_a_room_do_not_stand_together(self, root: Path) -> None:
        for room in ("engine", "memory", "store"):
            (root / "se_agent" / room).mkdir()
            (root / "se_agent" / room / "signs.py").write_text(MODULE)
        rooms = [fault.room for fault in draw(root, 8, seed=4)]
        assert rooms != sorted(rooms)

    def test_a_function_has_one_fault_at_most(self, root: Path) -> None:
        functions = [fault.function for fault in draw(root, 9, seed=4) if fault.function]
        assert sorted(functions) == ["few", "sign"]

    def test_a_fault_that_is_planted_changes_its_lines_only(self, root: Path) -> None:
        for fault in draw(root, 9, seed=4):
            text = fault.in_text(MODULE)
            assert changed(MODULE, text) == (fault.line, fault.old, fault.new)


class TestPlanted:
    def test_of_equal_lines_the_nearest_change(self) -> None:
        fault = planted(line=4, old="x\n", new="z\n")
        assert fault.in_text("x\ny\ny\ny\nx\n") == "x\ny\ny\ny\nz\n"

    def test_lines_that_are_gone_are_named(self) -> None:
        with pytest.raises(ValueError, match=r"signs\.py:8: the lines of fault 1 are gone"):
            planted(old="x\n").in_text("y\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def f(a: int | str): ...", "def f(a: int & str): ..."),
        ("x: int | str = 1", "x: int & str = 1"),
        ("Place = tuple[int] | None", "Place = tuple[int] & None"),
        ("if TYPE_CHECKING:\n    a = 1", "if TYPE_CHECKING:\n    a = 2"),
        ("raise ValueError(f'{a + 1} of them')", "raise ValueError(f'{a - 1} of them')"),
    ],
)
def test_types_and_messages_need_no_test(old: str, new: str) -> None:
    assert not tells(old, new)


def test_values_do() -> None:
    assert tells("_MOST = 3 | 4", "_MOST = 3 & 4")


class TestProbes:
    @pytest.mark.parametrize(
        ("line", "places"),
        [(8, [8]), (9, [9]), (10, [8]), (11, [11]), (3, [16])],
        ids=["condition", "branch", "elif", "its branch", "constant"],
    )
    def test_a_probe_stands_before_the_statement(self, line: int, places: list[int]) -> None:
        assert [place for place, _ in at(ast.parse(MODULE), line)] == places

    def test_a_module_with_probes_does_what_it_did(self) -> None:
        text = probed(MODULE, [planted(n, line=n) for n in range(1, 17)])
        scope: dict[str, object] = {}
        exec(text, scope)
        assert callable(scope["sign"])
        assert [scope["sign"](n) for n in (7, 0, -7)] == [1, 0, -1]


class TestChoice:
    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        texts = {
            SIGNS: MODULE,
            "tests/values/test_signs.py": "",
            "tests/values/test_other.py": "",
            "tests/engine/test_step.py": "from se_agent.values import (\n    few,\n)",
            "tests/engine/test_far.py": "from se_agent.values import many",
            "tests/test_house.py": "se_agent.values.signs",
        }
        for name, text in texts.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return tmp_path

    def test_near_are_mirror_importers_and_neighbours_and_gates_never(self, root: Path) -> None:
        assert Choice(root).near(SIGNS) == [
            "tests/values/test_signs.py",
            "tests/values/test_other.py",
            "tests/engine/test_step.py",
        ]

    def test_without_a_mirror_it_is_what_imports_the_module(self, root: Path) -> None:
        (root / "tests/values/test_signs.py").unlink()
        (root / "tests/values/test_other.py").write_text("import se_agent.values.signs")
        assert Choice(root).mirror(SIGNS) == ["tests/values/test_other.py"]

    def test_of_those_that_come_by_the_mirror_is_first_and_each_file_has_its_turn(
        self, root: Path
    ) -> None:
        far = [f"tests/engine/test_step.py::test_{n}" for n in range(MOST)]
        other, mirror = "tests/values/test_other.py::test", "tests/values/test_signs.py::test"
        some = Choice(root).some(SIGNS, [*far, "tests/test_house.py::test", other, mirror])
        assert some[:4] == [mirror, other, far[0], far[1]]
        assert len(some) == MOST

    def test_where_none_comes_by_it_is_the_mirror(self, root: Path) -> None:
        assert Choice(root).some(SIGNS, []) == ["tests/values/test_signs.py"]


def test_each_tier_is_asked_in_one_stage() -> None:
    options = [f"--tier={name}" for name in NAMES]
    assert sorted(of_tiers(FAST) + of_tiers(OTHERS)) == sorted(options)


def row(number: int, stage: str, verdict: str, *tests: str) -> dict[str, object]:
    found = verdict == "found"
    return {"number": number, "stage": stage, "found": found, "verdict": verdict} | {
        "tests": dict.fromkeys(tests, "")
    }


def test_a_find_that_was_unsound_is_met_again() -> None:
    rows = [
        row(1, FAST, "found", "tests/a.py::t"),
        row(1, FAST, "unsound"),
        row(2, OTHERS, "found", "tests/b.py::t"),
        row(3, FAST, "survived"),
    ]
    assert settled(rows, FAST) == {2, 3}


def test_a_table_counts_by_room_and_tier() -> None:
    rows = [
        row(1, FAST, "found", "tests/values/test_a.py::t"),
        row(2, FAST, "found", "tests/engine/test_b.py::t"),
        row(3, OTHERS, "found", "tests/values/test_c.py::t"),
    ]
    looks = [{"number": 4, "verdict": "equal", "why": "a default that nobody uses"}]
    made = fates([planted(n) for n in (1, 2, 3, 4, 5)], rows, looks)
    assert by_room(made)[-2] == "| se_agent/values | 5 | 1 | 1 | 1 | 0 | 1 | 0 | 1 |"
