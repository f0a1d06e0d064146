from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.user_function.workloads import workload as workloads
from se_agent.user_function.workloads.reach import require_reached
from se_agent.user_function.workloads.targets import find_targets

USE = """\
SIZES = [10, 200]

def generate(rng, size):
    return (rng.randrange(size),)

def workload(n):
    from shop.stock import total
    return total(n)

def alone(times=2):
    return times
"""


@pytest.fixture
def use(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    text = "def total(n): return n\ndef other(): pass\n"
    (tmp_path / "shop" / "stock.py").write_text(text, encoding="utf-8")
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    return tmp_path / "use.py"


def test_inputs_come_from_its_own_file(use: Path) -> None:
    found = workloads.find_workload(f"{use}:workload")
    assert workloads.generator_of(found, "", ()) == f"{use}:generate"
    assert workloads.sizes_of(found) == (10, 200)
    assert workloads.examples_of(found, f"{use}:generate", ()) == ()


@pytest.mark.parametrize(
    ("given", "examples"), [("cases.py:lists", ()), ("", ("workload(1)",))]
)
def test_inputs_that_are_given_come_instead(
    use: Path, given: str, examples: tuple[str, ...]
) -> None:
    found = workloads.find_workload(f"{use}:workload")
    assert workloads.generator_of(found, given, examples) == given


def test_one_without_parameters_is_called_as_it_is(use: Path) -> None:
    use.write_text(USE.replace("def generate", "def other"), encoding="utf-8")
    found = workloads.find_workload(f"{use}:alone")
    assert workloads.examples_of(found, "", ()) == ("alone()",)
    needy = workloads.find_workload(f"{use}:workload")
    assert workloads.examples_of(needy, "", ()) == ()


def test_inputs_have_the_sizes_of_its_own_file_and_of_no_other(use: Path) -> None:
    found = workloads.find_workload(f"{use}:workload")
    assert workloads.inputs_of(found, "", ()).sizes == (10, 200)
    assert workloads.inputs_of(found, f"{use}:generate", ()).sizes == ()


def test_without_inputs_it_is_said_what_to_write_where(use: Path) -> None:
    use.write_text(USE.replace("def generate", "def other"), encoding="utf-8")
    found = workloads.find_workload(f"{use}:workload")
    with pytest.raises(ProblemError, match="no inputs") as caught:
        workloads.inputs_of(found, "", ())
    assert "generate(rng, size) into use.py" in caught.value.hint


@pytest.mark.parametrize("sizes", ["[3, 2]", "[]", "range(9)", "[1.5]"])
def test_sizes_that_do_not_ascend_are_refused(use: Path, sizes: str) -> None:
    use.write_text(USE.replace("[10, 200]", sizes), encoding="utf-8")
    found = workloads.find_workload(f"{use}:workload")
    with pytest.raises(ProblemError, match="SIZES is no list of whole numbers that ascend"):
        workloads.sizes_of(found)


def test_a_workload_that_cannot_be_called_is_refused(use: Path) -> None:
    use.write_text("async def workload(): pass\n", encoding="utf-8")
    with pytest.raises(ProblemError, match=r"--workload .* is an async function"):
        workloads.find_workload(f"{use}:workload")


def test_its_own_file_cannot_be_made_faster(use: Path) -> None:
    found, targets = workloads.find_workload(f"{use}:workload"), find_targets([str(use)])
    with pytest.raises(ProblemError, match="the workload's own file cannot be"):
        workloads.reach_of(found, targets, [], "", ())


def test_the_package_is_not_loaded_before_its_modules_are_replaced(use: Path) -> None:
    found = workloads.find_workload(f"{use}:workload")
    targets = find_targets([f"{use.parent}/shop/stock.py:total"])
    reach = workloads.reach_of(found, targets, [], "", ())
    assert "shop" not in reach.imports
    assert str(use.parent) in reach.site


class TestReach:
    def test_a_target_that_is_called_will_do(self, use: Path) -> None:
        found = workloads.find_workload(f"{use}:workload")
        targets = find_targets([f"{use.parent}/shop/stock.py:total"])
        require_reached({("shop/stock.py", "total.inner"): 3}, found, targets)

    def test_one_that_is_not_called_is_refused_with_what_is(self, use: Path) -> None:
        found = workloads.find_workload(f"{use}:workload")
        targets = find_targets([f"{use.parent}/shop/stock.py:other"])
        calls = {("shop/stock.py", name): 3 for name in ("total", "total.<listcomp>")}
        with pytest.raises(ProblemError, match=r"stock.py:other: .* never calls it") as caught:
            require_reached(calls, found, targets)
        assert caught.value.hint == "of that file it calls total"

    def test_a_file_of_which_nothing_is_called_is_refused(self, use: Path) -> None:
        found = workloads.find_workload(f"{use}:workload")
        targets = find_targets([f"{use.parent}/shop/stock.py"])
        seen = {("shop/stock.py", "<module>"): 1, ("shop/other.py", "f"): 1}
        with pytest.raises(ProblemError, match=r"shop/stock.py: .* never calls it"):
            require_reached(seen, found, targets)
