"""What a grid's file comes to: laws of its cells, and what is refused before anything runs."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.config.run_file import load
from se_agent.errors import ConfigError, SeAgentError
from se_agent.grid.cells import Grid
from se_agent.grid.grid_file import load_grid
from tests.grid.grids import number_grid, scored_problem, written_grid

_AXES: dict[str, list[object]] = {
    "lag": [1, 2, 4, 8],
    '"budget.evaluations"': [3, 5, 7],
    "memory.enabled": ["true", "false"],
}
_ARMS = {
    "plain": "{}",
    "no_bank": '{ "memory.local.bank" = false }',
    "random": '{ policy = "random" }',
    "nested": "{ memory.local.tabu = false }",
}


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, int, int, bool]:
    """Draw a table of a grid; with it its number of arms and of seeds, and the null arm."""
    arms = draw(st.lists(st.sampled_from(sorted(_ARMS)), unique=True))
    axes = draw(st.lists(st.sampled_from(sorted(_AXES)), unique=True))
    seeds, null = draw(st.integers(1, 5)), draw(st.booleans())
    lines = [f"seeds = {seeds}", f"null = {str(null).lower()}"]
    lines += [f"arms.{name} = {_ARMS[name]}" for name in arms]
    lines += [f"axes.{key} = [{', '.join(map(str, _AXES[key]))}]" for key in axes]
    count = max(len(arms), 1) * math.prod(len(_AXES[key]) for key in axes)
    return "\n".join(lines), count, seeds, null


@pytest.mark.tier("runs")
@given(tables(), st.integers(1, 3))
def test_cells_are_the_product_and_arms_take_turns(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: tuple[str, int, int, bool],
    problems: int,
) -> None:
    table, arms, seeds, null = drawn
    ids = [f"p{n}" for n in range(problems)]
    grid = number_grid(tmp_path_factory.mktemp("grid"), table, *ids)
    cells, width = [*grid.cells()], arms + null
    names = [cell.name for cell in cells]
    assert len(grid) == len(cells) == width * problems * seeds
    assert len(set(names)) == len(names)
    for start in range(0, len(cells), width):
        block = cells[start : start + width]
        assert {cell.arm.name for cell in block} == {arm.name for arm in grid.arms}
        assert len({(cell.source.id, cell.seed) for cell in block}) == 1
    assert names == [cell.name for cell in grid.cells()], "names and order are stable"


@pytest.mark.tier("runs")
@given(tables(), st.sampled_from(["*", "*/p0-s0", "p1", "no_such", "null", "*-s1", "plain*"]))
def test_only_chooses_cells_and_keeps_their_order(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[str, int, int, bool], only: str
) -> None:
    grid = number_grid(tmp_path_factory.mktemp("grid"), drawn[0], "p0", "p1")
    wanted = [cell.name for cell in grid.cells() if cell.matches(only)]
    if wanted:
        assert [cell.name for cell in grid.chosen(only)] == wanted
    else:
        with pytest.raises(ConfigError, match="no cell of this grid"):
            list(grid.chosen(only))


def names(grid: Grid) -> list[str]:
    return [arm.name for arm in grid.arms]


def test_arms_are_named_by_their_values(tmp_path: Path) -> None:
    table = 'arms.a = {}\naxes.lag = { from = 1, to = 5, step = 2 }\naxes.policy = ["x:Y"]'
    grid = number_grid(tmp_path, table, "p")
    assert names(grid) == ["a,lag=1,policy=x_Y", "a,lag=3,policy=x_Y", "a,lag=5,policy=x_Y"]
    assert [arm.config.lag for arm in grid.arms] == [1, 3, 5]


def test_axes_alone_make_arms_and_nothing_at_all_makes_one(tmp_path: Path) -> None:
    assert names(number_grid(tmp_path / "a", "axes.lag = [1, 2]", "p")) == ["lag=1", "lag=2"]
    assert names(number_grid(tmp_path / "b", "", "p")) == ["base"]


def test_the_null_arm_is_the_first_one_again(tmp_path: Path) -> None:
    table = "null = true\narms.few = { lag = 2 }\narms.many = { lag = 8 }"
    first, _, null = number_grid(tmp_path, table, "p").arms
    assert (null.name, null.config) == ("null", first.config)


def test_arms_that_change_what_models_see_are_told_apart_from_others(tmp_path: Path) -> None:
    table = (
        'arms.all = {}\narms.bank = { "memory.local.bank" = false, prompt.profile = false }\n'
        "arms.off = { memory.enabled = false, prompt.profile = false }\nnull = true"
    )
    alike = {
        arm.name: arm.differs_for_models_alone(number_grid(tmp_path, table, "p").arms[0])
        for arm in number_grid(tmp_path, table, "p").arms
    }
    assert alike == {"all": False, "bank": True, "off": False, "null": False}
    model = 'models.main = { name = "some" }\n'
    written = written_grid(tmp_path, table + '\nproblems = ["order_report"]', model)
    first, bank, *_ = load_grid(written).arms
    assert not bank.differs_for_models_alone(first)


def test_old_keys_are_read_in_arms(tmp_path: Path) -> None:
    told: list[str] = []
    path = written_grid(
        tmp_path, 'problems = ["order_report"]\narms.a = {}\narms.b = { "memory.bank" = false }'
    )
    grid = load_grid(path, note=told.append)
    assert not grid.arms[1].config.memory.local.bank
    assert told == ["note: memory.bank is now memory.local.bank"]


def test_problems_are_names_folders_globs_and_sets(tmp_path: Path) -> None:
    for name in ("one", "two"):
        scored_problem(tmp_path / "mine", name)
    path = written_grid(tmp_path, 'problems = ["mine/*", "tide_*", "order_report"]')
    found = [source.id for source in load_grid(path).sources]
    assert found == ["one", "two", "tide_table", "order_report"]


def test_a_setting_of_the_command_line_reaches_the_grid(tmp_path: Path) -> None:
    path = written_grid(tmp_path, 'problems = ["order_report"]\nseeds = 9')
    grid = load_grid(path, ["grid.seeds=[4]", "budget.evaluations=3"])
    assert (grid.seeds, grid.arms[0].config.budget.evaluations) == ((4,), 3)


BAD = {
    'problems = ["order_report"]\nseds = 3': ("grid.seds: unknown key", "grid.seeds"),
    'problems = ["order_report"]\nseeds = 0': ("grid.seeds", "Number of seeds"),
    'problems = ["order_report"]\nseeds = []': ("grid.seeds: empty", "such as"),
    'problems = ["order_report"]\nseeds = [1, 1]': ("a seed stands there twice", "leave"),
    'problems = ["order_report"]\nseeds = true': (
        "grid.seeds: neither a whole number from 1 to 100000, nor",
        "Number",
    ),
    'problems = ["order_report"]\nseeds = [-1]': ("grid.seeds: -1 is no seed", "Number"),
    'problems = ["order_report"]\nseeds = 99999999999': ("grid.seeds: neither", "Number"),
    'problems = ["order_report"]\nseeds = 30000\naxes.lag = [1, 2, 3, 4]': (
        "120000 cells",
        "at most 100000",
    ),
    'problems = ["order_report"]\naxes."budget.money" = { from = 1, to = 2, step = 5e-324 }': (
        "grid.axes.budget.money: inf values",
        "at most",
    ),
    'problems = ["~no-such-user/x"]': ("'~no-such-user/x': neither", "`se-agent problems`"),
    "problems = []": ("grid.problems: empty", "`se-agent problems`"),
    'problems = ["ordr_report"]': ("'ordr_report': neither", "'order_report'"),
    'problems = ["no*such"]': ("'no*such' matches no problem", "`se-agent problems`"),
    'problems = ["order_report", "order_*"]': ("called 'order_report'", "rename"),
    'problems = ["order_report"]\naxes.lag = []': ("grid.axes.lag: an empty axis", "such as"),
    'problems = ["order_report"]\naxes.lag = 3': ("grid.axes.lag: neither a list", "such as"),
    'problems = ["order_report"]\naxes.lag = { from = 3, to = 1 }': ("an empty range", "such"),
    'problems = ["order_report"]\naxes.lag = [1, 1]': ("1 stands there twice", "leave"),
    'problems = ["order_report"]\naxes.workrs = [1]': ("workrs: unknown key", "'workers'"),
    'problems = ["order_report"]\naxes.seed = [1]': ("seed: grid.seeds says", "leave it out"),
    'problems = ["order_report"]\narms.a = {}\narms.b = {}': ("arms a and b are alike", "null"),
    'problems = ["order_report"]\narms.a = { "memory.local.bnk" = false }': (
        "grid.arms.a: memory.local.bnk: unknown key",
        "memory.local.bank",
    ),
    'problems = ["order_report"]\narms.a = { lag = 4 }\naxes.lag = [1, 4]': (
        "grid.arms.a: lag: grid.axes.lag sets it in every arm",
        "leave it out of the arm",
    ),
    'problems = ["order_report"]\narms.a = { "memory.bank" = false }\n'
    'axes."memory.local.bank" = [true]': (
        "grid.arms.a: memory.local.bank: grid.axes.memory.local.bank sets it in every arm",
        "leave it out of the arm",
    ),
    'problems = ["order_report"]\narms.null = {}': ("the name of the null arm", "null = true"),
    'problems = ["order_report"]\narms.a = 3': ("grid.arms.a: not a table", "such as a"),
    'problems = ["order_report"]\narms."a/b" = {}': (
        "grid.arms: 'a/b' names no arm: it takes letters",
        "dotted key",
    ),
    "seeds = 2": ("no problem", "problems = "),
    'problems = "bin_packing"': (
        'trial.toml: grid.problems: not a list of problems, such as ["order_report", "./mine"]',
        "problem sets",
    ),
    "problems = [1]": ("grid.problems: not a list of problems", "problem sets"),
    'problems = ["order_report"]\nseeds = 2.5': (
        "grid.seeds: neither a whole number from 1 to 100000, nor a list such as [1, 2, 3]",
        "Number",
    ),
    'problems = ["order_report"]\nseeds = ["a"]': ("grid.seeds: 'a' is no seed", "Number"),
    'problems = ["order_report"]\nseeds = { from = 1, to = 2, step = 0.5 }': (
        "grid.seeds: 1.0 is no seed, which is a whole number",
        "Number",
    ),
    'problems = ["order_report"]\nseeds = { from = 1, till = 3 }': (
        "grid.seeds.till: unknown key of a range",
        "known in a range: from, to, step",
    ),
    'problems = ["order_report"]\nseeds = { from = 3, to = 1 }': (
        "grid.seeds: an empty range",
        "such as seeds = 5",
    ),
    'problems = ["order_report"]\nseeds = { from = 3 }': (
        "grid.seeds: not a range of numbers",
        "such as seeds = 5",
    ),
    'problems = ["order_report"]\narms = ["a"]': (
        "grid.arms: not a table of arms, such as { all = {}, late = { lag = 4 } }",
        "Settings of each arm",
    ),
    'problems = ["order_report"]\naxes = 3': ("grid.axes: not a table of axes", "Values"),
    'problems = ["order_report"]\nnull = 1': ("grid.null: neither true nor false", "null arm"),
    'problems = ["order_report"]\naxes.lag = { from = 1, to = 9, stp = 1 }': (
        "grid.axes.lag.stp: unknown key of a range",
        "did you mean 'step'?",
    ),
    'problems = ["order_report"]\naxes.lag = { form = 1 }': (
        "grid.axes.lag.form: neither a list nor a range",
        "did you mean 'from'?",
    ),
}


@pytest.mark.parametrize("table", BAD)
def test_what_is_wrong_is_told_with_what_to_do(tmp_path: Path, table: str) -> None:
    message, hint = BAD[table]
    with pytest.raises(SeAgentError, match=re.escape(message)) as caught:
        load_grid(written_grid(tmp_path, table))
    assert hint in caught.value.hint


def test_arms_that_differ_in_workers_alone_are_alike(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="are alike"):
        number_grid(tmp_path, "arms.a = {}\narms.b = { workers = 4 }", "p")


def test_a_run_file_is_no_grid(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text('problem = "order_report"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"no table \[grid\]"):
        load_grid(path)


@pytest.mark.parametrize("name", ["grids", "gird"])
def test_a_table_with_a_mistyped_name_is_told_the_right_one(tmp_path: Path, name: str) -> None:
    path = tmp_path / "trial.toml"
    path.write_text(f'[{name}]\nproblems = ["order_report"]\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=f"trial.toml: {name}: unknown key") as caught:
        load_grid(path)
    assert caught.value.hint == "did you mean 'grid'?"


def test_a_grid_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "trial.toml"
    path.write_text("grid = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"trial.toml: grid: not a table: write \[grid\]"):
        load_grid(path)


def test_seeds_may_be_a_range_that_the_command_line_changes(tmp_path: Path) -> None:
    path = written_grid(
        tmp_path, 'problems = ["order_report"]\nseeds = { from = 1, to = 9, step = 4 }'
    )
    assert load_grid(path).seeds == (1, 5, 9)
    assert load_grid(path, ["grid.seeds.to=6"]).seeds == (1, 5)
    assert load_grid(path, ["grid.seeds=2"]).seeds == (0, 1)


def test_a_seed_beside_a_grid_is_refused(tmp_path: Path) -> None:
    path = written_grid(tmp_path, 'problems = ["order_report"]', "seed = 3")
    with pytest.raises(ConfigError, match=r"grid\.seeds says"):
        load_grid(path)


def looked_at(grid: Grid) -> Sequence[str]:
    return [grid.record(cell).config.name for cell in grid.cells()]


def test_a_thousand_cells_are_made_one_at_a_time(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, "seeds = 500\naxes.lag = [1, 2]", "p")
    first = next(grid.cells())
    assert len(grid) == 1000
    assert first.name == "lag=1/p-s0"
    assert len(set(looked_at(grid))) == 500


def test_a_grid_extends_a_run_file_elsewhere(tmp_path: Path) -> None:
    """Paths in a file start where that file lies."""
    scored_problem(tmp_path / "base")
    (tmp_path / "base" / "run.toml").write_text('problem = "./widths"\nlag = 3\n')
    path = written_grid(tmp_path, "seeds = 2", 'extends = "base/run.toml"')
    grid = load_grid(path)
    assert [source.id for source in grid.sources] == ["widths"]
    assert grid.arms[0].config.lag == 3


def test_run_names_the_command_for_a_grid(tmp_path: Path) -> None:
    path = written_grid(tmp_path, 'problems = ["order_report"]')
    with pytest.raises(ConfigError, match="a grid of runs") as caught:
        load(path)
    assert caught.value.hint.startswith(f"`se-agent grid {path}` runs it")
