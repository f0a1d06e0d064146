"""The run file: one TOML, closed, frozen after it was read. A typo is an error.

The docstring below a key is its help text: a run's `run.toml` and docs/cli.md have it, and an
error about the key ends with it.

Not here: how it was written (`sources`), what its names stand for (`registry`), nor the words
of an error (`key_errors`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from se_agent.config.fold_names import check_folds
from se_agent.config.key_errors import explained_error, help_of, place_in
from se_agent.config.marks import CAN_CHANGE, CAN_SHRINK, IS_FILE
from se_agent.config.renamed_keys import notes, table_with_new_keys, without_retired
from se_agent.config.roles import whole_rows
from se_agent.config.section import OpenSection
from se_agent.config.sections import (
    Asking,
    Budget,
    Count,
    Endpoint,
    Judge,
    Measure,
    MemorySection,
    Names,
    Positive,
    Prompt,
    RelaySection,
    RoleName,
    RoleSection,
    SandboxSection,
    Share,
)
from se_agent.config.settings import Setting, flat, nested_table
from se_agent.config.sources import overrides as written
from se_agent.config.sources import read
from se_agent.config.tables import has_mark, tables
from se_agent.config.toml_text import table_text
from se_agent.environment.own import set_apart
from se_agent.errors import ConfigError, reason
from se_agent.values.objective import Objective
from se_agent.wording import command

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]
Note = Callable[[str], None]
"""Is told what somebody should know of a run file that is read all the same."""


def _say_nothing(note: str) -> None:
    """Drop a note: who reads a run file without a screen cannot show it."""


_NONE = "none"  # in place of a path: there is none


class Run(OpenSection):
    """One run, complete: nothing that changes a result lives elsewhere."""

    table: ClassVar[str] = ""

    problem: Annotated[str, Field(min_length=1)]
    """Name of a shipped problem, or a problem folder, relative to the run file."""
    program: str = ""
    """Name of an initial program of the problem; empty: its first."""
    policy: str = "portfolio"
    """The search: a registered name or module:attribute."""
    models: dict[Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")], Endpoint] = Field(
        default_factory=dict
    )
    """Models, by a name of your choice; without one rules and tuners make all candidates."""
    operators: Annotated[tuple[str, ...], Field(strict=False), Names] = ()
    """What makes candidates, by name; empty: all that are registered."""
    without: Annotated[tuple[str, ...], Field(strict=False), Names] = ()
    """Operators that are left out: an ablation of one operator is one key."""
    folds: Annotated[tuple[str, ...], Field(strict=False), Names, CAN_SHRINK] = ()
    """What is kept of a run's events besides, in this order: a name, or module:attribute."""
    objective: Literal["", "cpu", "wall", "memory", "memory_time", "instructions"] = ""
    """What is made smaller, of one quantity; empty: what the problem says, or CPU time."""
    weights: dict[str, Share] = Field(default_factory=dict)
    """Weights of quantities, such as { cpu = 0.7, memory = 0.3 }; instead of an objective."""
    seed: Count = 0
    """Seed of every random choice, from 0."""
    workers: Annotated[int, Field(ge=1, le=64), CAN_CHANGE] = 1
    """Evaluations at a time, 1 to 64, of open slots; they change nothing but the time."""
    generation_size: Positive = 8
    """Slots of a generation; they see the same past unless the schedule is steady."""
    schedule: Literal["generation", "steady"] = "steady"
    """What a slot sees: earlier generations (beside a model, if unsaid), or all but `lag`."""
    lag: Positive = 1
    """Open slots of a steady schedule: `workers` or more (16 beside a model, if unsaid)."""
    trim: bool = True
    """The best program is minimised at the end; false: a search costs a fifth less or so."""
    results: str = "results"
    """Folder for run folders, relative to the working directory."""
    name: Annotated[str, Field(pattern=r"^(\w[\w.-]*)?$")] = ""
    """Name of the run folder: letters, digits, dots and dashes; empty: one is made up."""
    memory: MemorySection = Field(default_factory=MemorySection)
    judge: Judge = Judge()
    measure: Measure = Measure()
    budget: Annotated[Budget, CAN_CHANGE] = Budget()
    sandbox: SandboxSection = SandboxSection()
    prompt: Prompt = Prompt()
    asking: Asking = Asking()
    relay: RelaySection = RelaySection()
    roles: Annotated[dict[RoleName, RoleSection], BeforeValidator(whole_rows)] = Field(
        default_factory=dict
    )
    """What roles of models need and how often they are drawn, unless as by default."""

    @model_validator(mode="before")
    @classmethod
    def _paced(cls, given: Any) -> Any:  # whatever a run file holds
        """Ask models for a whole generation at once; rules wait for nobody."""
        asking = isinstance(given, dict) and given.get("models")
        return {"schedule": "generation", "lag": 16, **given} if asking else given

    @model_validator(mode="before")
    @classmethod
    def _with_new_keys(cls, given: Any) -> Any:  # whatever a run file holds
        """Read a record that is older than the names of its keys."""
        return table_with_new_keys(given) if isinstance(given, dict) else given

    @field_validator("weights")
    @classmethod
    def _one_objective(
        cls, weights: dict[str, float], info: ValidationInfo
    ) -> dict[str, float]:
        if weights and info.data.get("objective"):
            raise ValueError(f"no room beside objective={info.data['objective']!r}")
        if weights:
            Objective.weighted(weights)
        return weights


def parse(
    problem_or_path: str, overrides: Sequence[str | Setting] = (), note: Note = _say_nothing
) -> Run:
    """Return the run that a command line means.

    Args:
        problem_or_path: A run file (it ends in `.toml`, or is a file), or a problem.
        overrides: `key=value` texts; dotted keys, TOML values, bare strings accepted. Or
            settings, each with its source.
        note: Is told of each key that has another name now.

    Raises:
        ConfigError: The message names the file or option and the key; the hint is the fix.
    """
    path = Path(problem_or_path)
    try:
        is_file = path.is_file()
    except OSError as err:
        raise ConfigError(
            f"{problem_or_path[:80]}: no problem, and no run file: {reason(err)}",
            hint="`se-agent problems` lists what is shipped; or give a folder, or a run file",
        ) from err
    if path.name == "problem.toml":
        problem_or_path = str(path.parent)
    elif path.suffix == ".py" and is_file:
        raise ConfigError(
            f"{path}: a program, neither a problem nor a run file",
            hint=f"give a problem's folder, or `{command('optimize', f'{path}:FUNCTION')}`",
        )
    elif path.suffix == ".jsonl" and is_file:
        raise ConfigError(
            f"{path}: a problem set", hint=f"`{command('grid', path)}` runs all its rows"
        )
    elif path.suffix == ".toml" or is_file:
        return load(path, overrides, note)
    return of_problem(problem_or_path, overrides, note)


def of_problem(
    problem: str, overrides: Sequence[str | Setting] = (), note: Note = _say_nothing
) -> Run:
    """Return the run of a problem, whatever its name looks like; see `parse`."""
    named = Setting(("problem",), problem, problem)
    return of_settings([named, *written(overrides)], problem, note)


def load(path: Path, overrides: Sequence[str | Setting] = (), note: Note = _say_nothing) -> Run:
    """Read a run file, and those that it extends.

    Raises:
        ConfigError: The message names the file and the key; the hint is the fix.
    """
    given = [*read(path), *written(overrides)]
    if any(setting.path[0] == "grid" for setting in given):
        raise ConfigError(
            f"{path}: a grid of runs",
            hint=f"`{command('grid', path)}` runs it; --dry-run checks it and runs nothing",
        )
    return of_settings(given, str(path), note)


def with_frozen_prior(run: Run) -> Run:
    """Return the configuration of one of many runs that are compared: its prior is frozen.

    Such a run reads what earlier runs found out and adds nothing to it, unless the run file
    or an option sets `memory.prior`. So all of them begin alike, in any order.
    """
    if "prior" in run.memory.model_fields_set:
        return run
    return run.model_copy(update={"memory": run.memory.model_copy(update={"prior": "read"})})


def run_with_settings(run: Run, settings: Sequence[Setting]) -> Run:
    """Return a run with other settings.

    Raises:
        ConfigError: The message names the option and the key; the hint is the fix.
    """
    given = flat(run.model_dump(), "the run")
    return _validated([*given, *settings], "the run")


def as_record(run: Run) -> dict[str, Any]:  # a run file as JSON
    """Return a run file as it is recorded, for `run_of_record`.

    Of the sections that packages add it has those that say something: whoever uses no package
    reads the record without it, and with any.
    """
    table = run.model_dump(mode="json")
    for path, section in tables(run):
        place = reduce(lambda inner, key: inner.get(key, {}), path, table)
        for key, added in (section.model_extra or {}).items():
            if added == type(added)():
                place.pop(key, None)
    return table


def run_of_record(table: Mapping[str, Any]) -> Run:  # a run file as JSON
    """Return the run file of a record, which may be older than the keys and rules of today.

    Raises:
        ConfigError: It has a key that is not known here, or a value that is none.
    """
    try:
        return Run.model_validate_json(json.dumps(without_retired(table)))
    except ValidationError as err:
        raise explained_error(Run, err.errors(), (), "the record of the run") from err


def describe(run: Run) -> str:
    """Return the whole run as TOML with each key's help text; "none" is no limit."""
    return table_text(run)


def _anchored(setting: Setting) -> Setting:
    """Make a path absolute, so that the run means the same from wherever it is resumed.

    Raises:
        ConfigError: No file can have this path.
    """
    value = setting.value
    if not isinstance(value, str) or not value:
        return setting
    place = f"{setting.source}: {'.'.join(setting.path)}"
    try:
        value.encode()
        is_problem = setting.path == ("problem",) and (
            "/" in value or (setting.folder / value / "problem.toml").is_file()
        )
        is_file = value != _NONE and has_mark(Run, setting.path, IS_FILE)
        if is_problem or is_file:
            whole = (setting.folder / Path(value).expanduser()).resolve()
            return setting._replace(value=str(whole))
    except UnicodeEncodeError as err:
        told = f"{place}: {value!r} is not UTF-8, and no run can keep it"
        raise ConfigError(told, hint="rename what is not, or put a copy elsewhere") from err
    except (OSError, RuntimeError, ValueError) as err:  # too long, nobody's home, a NUL
        raise ConfigError(f"{place}: no path: {err}", hint=help_of(Run, setting.path)) from err
    return setting


def of_settings(given: Sequence[Setting], source: str, note: Note = _say_nothing) -> Run:
    """Return the run that settings make, of which the later wins.

    Args:
        given: Settings under the keys of today.
        source: Where they stand, for what has no setting, such as a key that is missing.
        note: Is told of each key that has another name now.

    Raises:
        ConfigError: The message names the file and the key; the hint is the fix.
    """
    run = _validated(given, source)
    for text in notes(given):
        note(text)
    return run


def _validated(given: Sequence[Setting], source: str) -> Run:
    settings = [_anchored(setting) for setting in given]
    try:
        run = Run.model_validate(nested_table(settings))
    except ValidationError as err:
        raise explained_error(Run, err.errors(), settings, source) from err
    # Here, not in the class: a record that is older than this rule is read as it is.
    check_folds(run.folds, place_in(("folds",), settings, source))
    set_apart(endpoint.key for endpoint in run.models.values())  # before a problem is read
    return run
