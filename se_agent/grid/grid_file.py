"""The file of a grid: a run file with a table `[grid]`, which says what is varied.

It is closed, as every run file is. Not here: the cells that it comes to (`cells`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from se_agent.analysis.arms import NULL
from se_agent.config.key_errors import explained_error
from se_agent.config.renamed_keys import with_new_keys
from se_agent.config.run_file import Note, Run, as_record, of_settings
from se_agent.config.settings import Setting, flat, nested_table
from se_agent.config.sources import overrides as written
from se_agent.config.sources import read
from se_agent.errors import ConfigError, meant_hint, nearest
from se_agent.grid.axes import AxisValue, axis_values, product, range_values
from se_agent.grid.cells import Grid, PlannedArm
from se_agent.grid.grid_section import MOST_CELLS, GridSection, GridTable
from se_agent.grid.problem_sources import problem_sources, run_label

_TABLE = "grid"
_OWN = {
    "seed": "grid.seeds says which seeds there are",
    "problem": "grid.problems says which problems there are",
    "results": "all cells of a grid lie in one place: set results above [grid]",
    "name": "a cell is named by its arm, its problem and its seed",
    "grid": "a grid has no grids",
}
_BASE = "base"
_SEEDS = "such as seeds = 5, [1, 2, 3], or { from = 1, to = 9 }"


def load_grid(path: Path, overrides: Sequence[str] = (), note: Note = lambda _: None) -> Grid:
    """Read a grid; nothing of its problems runs.

    Args:
        path: The TOML file, or a problem set: one arm and one seed over its rows.
        overrides: `key=value` texts, also of the grid, such as `grid.seeds=2`.
        note: Is told of each key that has another name now.

    Raises:
        ConfigError: The message names file and key; the hint is the fix. So are two arms that
            are alike, an axis without a value, and a seed or a problem that stands there twice.
        ProblemError: A problem set cannot be read.
    """
    return _grid([*_of_file(path), *written(overrides)], path, note)


def load_set(rows: Path, settings: Iterable[Setting] = (), note: Note = lambda _: None) -> Grid:
    """Read a problem set with the settings of a run: a grid of one arm, and of its seed.

    Args:
        rows: The problem set.
        settings: Those of a run file and of the command line; its problem and name are none.
        note: Is told of each key that has another name now.

    Raises:
        SeAgentError: As `load_grid` raises it.
    """
    kept = [each for each in settings if each.path not in (("problem",), ("name",))]
    for each in kept:
        if each.path[0] == _TABLE and each.path != (_TABLE, "seeds"):
            told = f"{each.source}: {'.'.join(each.path)}: a problem set is a grid of its own"
            raise ConfigError(
                told, hint='a grid takes a set, too: problems = ["ROWS.jsonl"] in its [grid]'
            )
    given = (
        each._replace(path=(_TABLE, "seeds"), value=[each.value])
        if each.path == ("seed",)
        else each
        for each in kept
    )
    return _grid([*_of_file(rows), *given], rows, note)


def _grid(given: Sequence[Setting], path: Path, note: Note) -> Grid:
    own = _with_seed_list([setting for setting in given if setting.path[0] == _TABLE])
    common = [setting for setting in given if setting.path[0] != _TABLE]
    if not own:
        raise _no_grid(path, common)
    section, problem = _section(own, path), _last("problem", common)
    if _last("seed", common) is not None:
        raise ConfigError(f"{path}: seed: {_OWN['seed']}", hint="such as seeds = [3]")
    common = [setting for setting in common if setting.path != ("problem",)]
    names, place = _problem_names(section, problem, path)
    beside = problem.folder if problem is not None else _last_below("problems", own, path)
    sources = problem_sources(names, beside, place)
    stand_in = Setting(("problem",), run_label(sources[0]), str(path))
    axes, seeds = axis_values(_below("axes", own), path, _require_free), _seeds(section, path)
    arm_count = max(1, len(section.arms)) * math.prod(map(len, axes))
    _require_few(arm_count * len(sources) * len(seeds), path)
    arms = tuple(_arms(own, section, axes, [stand_in, *common], path, note))
    name = arms[0].config.name or path.stem
    return Grid(
        name=name,
        path=path,
        home=Path(arms[0].config.results) / name,
        arms=arms,
        sources=tuple(sources),
        seeds=seeds,
    )


def _of_file(path: Path) -> list[Setting]:
    """Return what a file says; a problem set is a grid of one arm and one seed."""
    if path.suffix != ".jsonl":
        return read(path)
    table = {_TABLE: {"problems": [f"./{path.name}"], "seeds": 1}}
    return [*flat(table, str(path), path.parent)]


def _no_grid(path: Path, common: Iterable[Setting]) -> ConfigError:
    """Return the error of a file without the table; its name may be mistyped."""
    tops = {setting.path[0] for setting in common} - Run.model_fields.keys()
    if near := nearest(_TABLE, tops):
        return ConfigError(f"{path}: {near}: unknown key", hint=meant_hint(_TABLE))
    return ConfigError(
        f"{path}: no grid: it has no table [grid]",
        hint=f"`se-agent run {path}` runs it; [grid] says seeds, problems and arms",
    )


def _with_seed_list(own: Sequence[Setting]) -> list[Setting]:
    """Return the settings of a grid with a list of seeds in place of a range of them."""
    key = (_TABLE, "seeds")
    seeds = [setting for setting in own if setting.path[:2] == key]
    if not seeds or seeds[-1].path == key:
        return [*own]
    ends = {".".join(each.path[2:]): each.value for each in seeds if each.path != key}
    values = range_values(ends, f"{seeds[-1].source}: grid.seeds", _SEEDS)
    others = [setting for setting in own if setting.path[:2] != key]
    return [*others, seeds[-1]._replace(path=key, value=values)]


def _section(own: Sequence[Setting], path: Path) -> GridSection:
    """Return the table; arms and axes in it are looked at one by one later."""
    try:
        return GridTable.model_validate(nested_table(own)).grid
    except ValidationError as err:
        raise explained_error(GridTable, err.errors(), own, str(path)) from err


def _last(key: str, settings: Iterable[Setting]) -> Setting | None:
    """Return the setting of a key that counts."""
    found = [setting for setting in settings if setting.path == (key,)]
    return found[-1] if found else None


def _last_below(key: str, own: Iterable[Setting], path: Path) -> Path:
    """Return the folder of the file that sets a key of the grid: one may extend another."""
    found = [setting.folder for setting in own if setting.path == (_TABLE, key)]
    return found[-1] if found else path.parent


def _problem_names(
    section: GridSection, common: Setting | None, path: Path
) -> tuple[Sequence[str], str]:
    """Return the names of the problems, and where they stand."""
    if section.problems is not None and common is not None:
        raise ConfigError(
            f"{path}: problem: {_OWN['problem']}", hint="leave one of the two out"
        )
    if section.problems is not None:
        return section.problems, f"{path}: grid.problems"
    if common is not None and isinstance(common.value, str):
        return [common.value], f"{common.source}: problem"
    raise ConfigError(
        f"{path}: no problem", hint='name them: problems = ["order_report"] in [grid]'
    )


def _seeds(section: GridSection, path: Path) -> tuple[int, ...]:
    found = section.seeds
    if not found:
        raise ConfigError(f"{path}: grid.seeds: empty", hint=_SEEDS)
    if len(set(found)) < len(found):
        raise ConfigError(
            f"{path}: grid.seeds: a seed stands there twice, and a cell would be run twice",
            hint="leave one of them out",
        )
    return found


def _require_few(cells: int, path: Path) -> None:
    """Refuse a grid that nobody could run.

    Raises:
        ConfigError: It is one.
    """
    if cells > MOST_CELLS:
        raise ConfigError(
            f"{path}: {cells} cells",
            hint=f"at most {MOST_CELLS} make sense: take fewer seeds, problems or values",
        )


def _arms(
    own: Sequence[Setting],
    section: GridSection,
    axes: Sequence[Sequence[AxisValue]],
    common: Sequence[Setting],
    path: Path,
    note: Note,
) -> Iterator[PlannedArm]:
    """Yield the arms: each named one under each combination of the axes, then the null arm."""
    seen: dict[str, str] = {}
    told = set[str]()
    first = None

    def once(text: str) -> None:
        if text not in told:
            told.add(text)
            note(text)

    for arm, settings in _named_arms(own, section, path):
        _require_apart(arm, settings, axes, path)
        for values in product(axes):
            name = _arm_name(arm, values, alone=not section.arms)
            config = _config(name, [*common, *settings, *_settings_of(values)], path, once)
            _require_other(name, config, seen, path)
            first = first or config
            yield PlannedArm(name, config)
    if section.null and first is not None:
        yield PlannedArm(NULL, first)


def _named_arms(
    own: Sequence[Setting], section: GridSection, path: Path
) -> Iterator[tuple[str, list[Setting]]]:
    if not section.arms:
        yield _BASE, []
    for name in section.arms:
        place = f"{path}: grid.arms.{name}"
        if name == NULL:
            raise ConfigError(
                f"{place}: the name of the null arm", hint="write null = true, or rename it"
            )
        found = [
            setting._replace(path=_dotted(setting.path[3:]), source=f"{setting.source}: {_at}")
            for setting in own
            if setting.path[:3] == (_TABLE, "arms", name) and setting.path[3:]
            for _at in [f"grid.arms.{name}"]
        ]
        if not found and section.arms[name] != {}:
            raise ConfigError(
                f"{place}: not a table of settings",
                hint=f'such as {name} = {{ "memory.local.bank" = false }}',
            )
        for setting in found:
            _require_free(setting.path, place)
        yield name, with_new_keys(found)


def _require_apart(
    arm: str, settings: Sequence[Setting], axes: Sequence[Sequence[AxisValue]], path: Path
) -> None:
    """Refuse an arm that sets what an axis sets: its own value would never count.

    Raises:
        ConfigError: It is one.
    """
    given = _settings_of(axis[0] for axis in axes)
    for own, other in itertools.product(settings, given):
        if own.path[: len(other.path)] == other.path:
            key = ".".join(own.path)
            raise ConfigError(
                f"{path}: grid.arms.{arm}: {key}: grid.axes.{'.'.join(other.path)} sets it in "
                "every arm, so this value would never count",
                hint="leave it out of the arm, or leave out the axis and name an arm for each",
            )


def _below(table: str, own: Iterable[Setting]) -> list[Setting]:
    """Return the settings of a table of the grid, by the dotted key that they are about."""
    return [
        setting._replace(path=_dotted(setting.path[2:]))
        for setting in own
        if setting.path[:2] == (_TABLE, table) and setting.path[2:]
    ]


def _dotted(path: Iterable[str]) -> tuple[str, ...]:
    """Return a path whose parts hold no dots: `{ "a.b" = 1 }` means the same as `a.b = 1`."""
    return tuple(part for each in path for part in each.split("."))


def _require_free(path: tuple[str, ...], place: str) -> None:
    """Refuse a key that the grid gives to its cells.

    Raises:
        ConfigError: It is one.
    """
    if path[:1] and path[0] in _OWN:
        raise ConfigError(f"{place}: {path[0]}: {_OWN[path[0]]}", hint="leave it out here")


def _arm_name(arm: str, values: Sequence[AxisValue], *, alone: bool) -> str:
    labels = [value.label for value in values]
    return ",".join(labels if alone and labels else [arm, *labels])


def _settings_of(values: Iterable[AxisValue]) -> list[Setting]:
    return with_new_keys(value.setting for value in values)


def _config(name: str, settings: Sequence[Setting], path: Path, note: Note) -> Run:
    return of_settings(settings, f"{path}: arm {name}", note)


def _require_other(name: str, config: Run, seen: dict[str, str], path: Path) -> None:
    """Refuse an arm that is like an earlier one: the same runs would be made twice.

    Raises:
        ConfigError: It is.
    """
    facts = repr(_facts(config))
    if facts in seen:
        raise ConfigError(
            f"{path}: arms {seen[facts]} and {name} are alike: all their settings are the same",
            hint="leave one of them out; null = true repeats the first arm on purpose",
        )
    seen[facts] = name


def _facts(config: Run) -> Mapping[str, object]:
    """Return what makes an arm another one: how many work at a time changes no result."""
    return {key: value for key, value in as_record(config).items() if key != "workers"}
