"""The run file: one TOML, closed, frozen after it was read. A typo is an error.

Not here: how it was written (`settings`), nor what its names stand for (`registry`, `load`).
The docstring below a key is its help text: a run's `run.toml` and docs/cli.md have it, and an
error about the key ends with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import ErrorDetails

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
    Prior,
    Prompt,
    SandboxSection,
    Section,
    Share,
)
from se_agent.config.sources import Setting, flat, nested, read, source_of
from se_agent.config.sources import overrides as written
from se_agent.environment.own import set_apart
from se_agent.errors import ConfigError, meant, nearest
from se_agent.values.objective import Objective
from se_agent.wording import command

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]


class Run(Section):
    """One run, complete: nothing that changes a result lives elsewhere."""

    problem: Annotated[str, Field(min_length=1)]
    """Name of a shipped problem, or a problem folder, relative to the run file."""
    program: str = ""
    """Which initial program of the problem; empty: its first."""
    policy: str = "portfolio"
    """The search: a registered name or module:attribute."""
    models: dict[Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")], Endpoint] = Field(
        default_factory=dict
    )
    """Models, by a name of your choice; without one rules and tuners make all candidates."""
    operators: Annotated[tuple[str, ...], Field(strict=False), Names] = ()
    """What makes candidates, by name; empty: all that are registered."""
    without: Annotated[tuple[str, ...], Field(strict=False), Names] = ()
    """Of these, what is left out: an ablation of one operator is one key."""
    folds: Annotated[tuple[str, ...], Field(strict=False), Names] = ()
    """What is kept of a run's events besides, in this order: a name, or module:attribute."""
    objective: Literal["", "cpu", "wall", "memory", "memory_time", "instructions"] = ""
    """What is made smaller, of one quantity; empty: what the problem says, or CPU time."""
    weights: dict[str, Share] = Field(default_factory=dict)
    """Of several quantities, such as { cpu = 0.7, memory = 0.3 }; instead of an objective."""
    seed: Count = 0
    """Of every random choice, from 0."""
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    """Evaluations at a time, 1 to 64, of open slots; they change nothing but the time."""
    generation_size: Positive = 8
    """Slots of a generation; they see the same past unless the schedule is steady."""
    schedule: Literal["generation", "steady"] = "steady"
    """What a slot sees: earlier generations (beside a model, if unsaid), or all but `lag`."""
    lag: Positive = 1
    """Open slots of a steady schedule: `workers` or more (16 beside a model, if unsaid)."""
    results: str = "results"
    """Folder for run folders, relative to the working directory."""
    name: Annotated[str, Field(pattern=r"^(\w[\w.-]*)?$")] = ""
    """Of the run folder: letters, digits, dots and dashes; empty: one is made up."""
    memory: MemorySection = MemorySection()
    judge: Judge = Judge()
    measure: Measure = Measure()
    budget: Budget = Budget()
    sandbox: SandboxSection = SandboxSection()
    prompt: Prompt = Prompt()
    asking: Asking = Asking()

    @model_validator(mode="before")
    @classmethod
    def _paced(cls, given: Any) -> Any:  # whatever a run file holds
        """Ask models for a whole generation at once; rules wait for nobody."""
        asking = isinstance(given, dict) and given.get("models")
        return {"schedule": "generation", "lag": 16, **given} if asking else given

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


def parse(problem_or_path: str, overrides: Sequence[str] = ()) -> Run:
    """Return the run that a command line means.

    Args:
        problem_or_path: A run file (it ends in `.toml`, or is a file), or a problem.
        overrides: `key=value` texts; dotted keys, TOML values, bare strings accepted.

    Raises:
        ConfigError: The message names the file or option and the key; the hint is the fix.
    """
    path = Path(problem_or_path)
    if path.name == "problem.toml":
        problem_or_path = str(path.parent)
    elif path.suffix == ".py" and path.is_file():
        raise ConfigError(
            f"{path}: a program, neither a problem nor a run file",
            hint=f"give a problem's folder, or `{command('optimize', f'{path}:FUNCTION')}`",
        )
    elif path.suffix == ".toml" or path.is_file():
        return load(path, overrides)
    problem = Setting(("problem",), problem_or_path, problem_or_path)
    return _validated([problem, *written(overrides)], problem_or_path)


def load(path: Path, overrides: Sequence[str] = ()) -> Run:
    """Read a run file, and those that it extends.

    Raises:
        ConfigError: The message names the file and the key; the hint is the fix.
    """
    return _validated([*read(path), *written(overrides)], str(path))


def frozen(run: Run) -> Run:
    """Return the configuration of one of many runs that are compared: its prior is frozen.

    Such a run reads what earlier runs found out and adds nothing to it, unless the run file
    or an option sets `memory.prior`. So all of them begin alike, in any order.
    """
    if "prior" in run.memory.model_fields_set:
        return run
    return with_prior(run, "read")


def with_prior(run: Run, prior: Prior) -> Run:
    """Return the configuration with another `memory.prior`."""
    return run.model_copy(update={"memory": run.memory.model_copy(update={"prior": prior})})


def reset(run: Run, settings: Sequence[Setting]) -> Run:
    """Return a run with other settings.

    Raises:
        ConfigError: The message names the option and the key; the hint is the fix.
    """
    given = flat(run.model_dump(), "the run")
    return _validated([*given, *settings], "the run")


def describe(run: Run) -> str:
    """Return the whole run as TOML with each key's help text; "none" is no limit."""
    lines = []
    for table, section in tables(run):
        lines += ["", f"[{table}]"] if table else []
        lines += [_line(section, k, v) for k, v in section if not _is_table(v)]
    return "\n".join(lines)


def changes(run: Run) -> list[str]:
    """Return `key = value` for each key that is not as by default, the problem left out."""
    usual, found = dict(tables(Run(problem=run.problem, models=run.models))), []
    for table, section in tables(run):
        named = isinstance(section, Endpoint)  # it has no default but those of its keys
        defaults = Endpoint.model_construct() if named else usual[table]
        dot = f"{table}." if table else ""
        found += [
            f"{dot}{key} = {_written(value)}"
            for key, value in section
            if not _is_table(value) and value != getattr(defaults, key, None)
        ]
    return found


def tables(run: Run) -> Iterator[tuple[str, Section]]:
    """Yield the tables of a run file with their names, that of the top first: it has none."""
    yield "", run
    for key, value in run:
        if isinstance(value, Section):
            yield key, value
        elif isinstance(value, dict):
            named = ((name, each) for name, each in value.items() if isinstance(each, Section))
            yield from ((f"{key}.{name}", each) for name, each in named)


def _is_table(value: Any) -> bool:  # any field
    inner = value.values() if isinstance(value, dict) else (value,)
    return any(isinstance(each, Section) for each in inner)


def _line(section: Section, key: str, value: Any) -> str:  # any field
    told = f"{key} = {_written(value)}"
    return f"{told:<32}  # {type(section).model_fields[key].description}"


def _written(value: Any) -> str:  # any field
    """Return a value as TOML."""
    import json

    if isinstance(value, dict):
        inner = ", ".join(f"{name} = {json.dumps(given)}" for name, given in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    text = json.dumps("none" if value is None else value, ensure_ascii=False)
    # The one character that JSON allows and TOML does not.
    return text.replace("\x7f", "\\u007f")


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
        if is_problem or setting.path == ("memory", "vocabulary"):
            whole = (setting.folder / Path(value).expanduser()).resolve()
            return setting._replace(value=str(whole))
    except UnicodeEncodeError as err:
        told = f"{place}: {value!r} is not UTF-8, and no run can keep it"
        raise ConfigError(told, hint="rename what is not, or put a copy elsewhere") from err
    except (OSError, RuntimeError, ValueError) as err:  # too long, nobody's home, a NUL
        raise ConfigError(f"{place}: no path: {err}", hint=_help(setting.path)) from err
    return setting


def _validated(given: Sequence[Setting], source: str) -> Run:
    settings = [_anchored(setting) for setting in given]
    try:
        run = Run.model_validate(nested(settings))
    except ValidationError as err:
        raise _explained(err.errors(), settings, source) from err
    set_apart(endpoint.key for endpoint in run.models.values())  # before a problem is read
    return run


def _explained(
    errors: Sequence[ErrorDetails], settings: Sequence[Setting], source: str
) -> ConfigError:
    # An unknown key comes first: it is often why another one is missing.
    first = min(errors, key=lambda error: error["type"] != "extra_forbidden")
    where = tuple(str(part) for part in first["loc"] if part != "[key]")
    given = source_of(where, settings, source)
    path = ".".join(where)
    place = given if given == f"--set {path}" else f"{given}: {path}"
    if first["type"] == "extra_forbidden":
        return ConfigError(f"{place}: unknown key", hint=_nearest(where))
    message = first["msg"].removeprefix("Value error, ")
    of_models = where[:1] == _MODELS[:1]
    if of_models and "key" in where[-1].lower():
        return ConfigError(
            f"{place}: not the name of a variable in capitals", hint=_help(where)
        )
    # Of a model only what can be neither a key nor a password is repeated.
    harmless = isinstance(first["input"], int | float) or "[key]" in first["loc"]
    silent = first["type"] in {"missing", "value_error"} or (of_models and not harmless)
    got = "" if silent else f", not {first['input']!r}"
    return ConfigError(f"{place}: {message}{got}", hint=_help(where))


def _nearest(where: Sequence[str]) -> str:
    keys = {key: f"{above}.{key}" for above, key in _keys() if above}
    above = ".".join(_MODELS if where[:1] == _MODELS[:1] and len(where) > 2 else where[:-1])
    beside = [key for table, key in _keys() if table == above]
    known = beside if where[:-1] else [*beside, "extends"]
    near = nearest(where[-1], known)
    key = ".".join([*where[:-1], near]) if near else keys.get(nearest(where[-1], keys), "")
    return meant(key) or f"known here: {', '.join(known)}"


_MODELS = ("models", "NAME")


def _keys() -> Iterator[tuple[str, str]]:
    for key, field in Run.model_fields.items():
        yield "", key
        if isinstance(field.default, Section):
            yield from ((key, inner) for inner in type(field.default).model_fields)
    yield from ((".".join(_MODELS), inner) for inner in Endpoint.model_fields)


def _help(where: Sequence[str]) -> str:
    section: type[Section] = Run
    for place, key in enumerate(where):
        if where[0] == _MODELS[0] and place == 1:
            section = Endpoint
            continue
        field = section.model_fields.get(key)
        if field is None:
            break
        if where[0] == _MODELS[0] and place == 0 and len(where) > 1:
            continue
        if not isinstance(field.default, Section):
            return f"{key}: {field.description}"
        section = type(field.default)
    return f"its keys: {', '.join(section.model_fields)}"
