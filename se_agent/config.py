"""The run file: one TOML, closed, frozen after it was read. A typo is an error.

Not here: how it was written (`settings`), nor what its names stand for (`registry`, `load`).
The docstring below a key is its help text: `se-agent check` prints it, and an error about the
key ends with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic import model_validator as validator
from pydantic_core import ErrorDetails

from se_agent.errors import ConfigError, did_you_mean
from se_agent.objective import Objective
from se_agent.settings import Setting, nested, read, source_of
from se_agent.settings import overrides as written

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(gt=0)]
Limit = BeforeValidator(lambda value: None if value == "none" else value)
Names = BeforeValidator(
    lambda v: tuple(filter(None, v.split(","))) if isinstance(v, str) else v
)


class _Section(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )


class Memory(_Section):
    """What a run remembers and what a prompt may show of it."""

    enabled: bool = True
    """false: nothing is learned and nothing is shown."""
    token_limit: Annotated[int, Field(ge=100)] = 1500
    """Tokens of the rendered memory; its head alone takes nearly 100."""
    directions_limit: Positive = 12
    """Attempted directions that are kept."""
    item_token_limit: Positive = 160
    """Tokens of one memory item."""
    keep_successes: Count = 3
    """Successes that survive a compression, by gain."""
    keep_failures: Count = 2
    """Failures that survive a compression, by severity."""
    prior: bool = True
    """What runs in the results folder found out about operators is used, and added to."""
    exclude_families: Annotated[tuple[str, ...], Field(strict=False), Names] = ()
    """Families of problems (or names of those without) whose earlier runs are left out."""
    vocabulary: str = ""
    """File of a tiktoken vocabulary; empty: the one found here, an estimate without a model."""


class Judge(_Section):
    """When a gain is proven."""

    margin: Annotated[float, Field(gt=0, lt=1)] = 0.01
    """Gain that does not count yet, as a fraction of the CPU time."""
    min_blocks: Positive = 3
    """Blocks before a gain may be called proven."""
    max_blocks: Positive = 9
    """Blocks after which a comparison stays undecided; not below min_blocks."""
    pairs: Positive = 12
    """Pairs of runs in a block."""
    counterexample_seconds: Annotated[float, Field(ge=0)] = 5.0
    """CPU seconds of the search for an input that refutes a new best program; 0: none."""

    @validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_blocks > self.max_blocks:
            raise ValueError(
                f"min_blocks={self.min_blocks} is above max_blocks={self.max_blocks}"
            )
        return self


class Measure(_Section):
    """How long and how often programs run for a comparison."""

    fast_seconds: Seconds = 0.02
    """CPU seconds that a run of the faster side takes at least."""
    slow_seconds: Seconds = 0.3
    """CPU seconds of the slower side after which a run is long enough; above fast_seconds."""
    self_test_blocks: Positive = 6
    """Blocks of identical code at the start; their spread sets the scale."""
    confirm_blocks: Annotated[int, Field(ge=6)] = 6
    """Fresh blocks of the final confirmation, at least 6."""
    confirm_inputs: Annotated[int, Field(ge=8)] = 8
    """Distinct final inputs of the confirmation, at least 8."""

    @validator(mode="after")
    def _ordered(self) -> Self:
        if self.fast_seconds >= self.slow_seconds:
            raise ValueError(
                f"fast_seconds={self.fast_seconds} is not below "
                f"slow_seconds={self.slow_seconds}"
            )
        return self


class Budget(_Section):
    """What may be spent; "none" is no limit. A budget that ends is a normal end."""

    evaluations: Annotated[Positive | None, Limit] = 60
    """Distinct candidates that are evaluated."""
    proposals: Annotated[Positive | None, Limit] = None
    """Candidates asked for, duplicates and empty answers included."""
    generations: Annotated[Positive | None, Limit] = None
    """Generations."""
    cpu_seconds: Annotated[Seconds | None, Limit] = None
    """CPU seconds of the engine and all that it starts."""
    wall_seconds: Annotated[Seconds | None, Limit] = None
    """Seconds on the clock on the wall."""


class Sandbox(_Section):
    """Where candidates run."""

    isolation: Literal["jail", "namespace", "bubblewrap", "container", "none"] = "jail"
    """"jail"; "namespace": room for threads and files; "bubblewrap"; "container"; "none"."""


class Run(_Section):
    """One run, complete: nothing that changes a result lives elsewhere."""

    problem: Annotated[str, Field(min_length=1)]
    """Name of a shipped problem, or a problem folder, relative to the run file."""
    program: str = ""
    """Which initial program of the problem; empty: its first."""
    policy: str = "portfolio"
    """The search: a registered name or module:attribute."""
    model: str = ""
    """What writes programs, as module:attribute; needed by model-written operators only."""
    operators: Annotated[tuple[str, ...], Field(strict=False), Names] = ()
    """What makes candidates, by name; empty: all that are registered."""
    objective: Literal["", "cpu", "wall", "memory", "memory_time", "instructions"] = ""
    """What is made smaller, of one quantity; empty: what the problem says, or CPU time."""
    weights: dict[str, Share] = {}
    """Of several quantities, such as { cpu = 0.7, memory = 0.3 }; instead of an objective."""
    seed: Count = 0
    """Of every random choice, from 0."""
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    """Evaluations at a time, 1 to 64; they change nothing but the time."""
    generation_size: Positive = 8
    """Slots that see the same past."""
    results: str = "results"
    """Folder for run folders, relative to the working directory."""
    name: Annotated[str, Field(pattern=r"^(\w[\w.-]*)?$")] = ""
    """Of the run folder: letters, digits, dots and dashes; empty: one is made up."""
    memory: Memory = Memory()
    judge: Judge = Judge()
    measure: Measure = Measure()
    budget: Budget = Budget()
    sandbox: Sandbox = Sandbox()

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


def describe(run: Run) -> str:
    """Return the whole run as TOML with each key's help text; "none" is no limit."""
    plain, sections = [], []
    for key, value in run:
        if isinstance(value, _Section):
            sections += ["", f"[{key}]", *(_line(value, k, v) for k, v in value)]
        else:
            plain.append(_line(run, key, value))
    return "\n".join([*plain, *sections])


def changes(run: Run) -> list[str]:
    """Return `key = value` for each key that is not as by default, the problem left out."""
    usual, found = Run(problem=run.problem), []
    for key, value in run:
        default = getattr(usual, key)
        if isinstance(value, _Section):
            pairs = [(f"{key}.{k}", v, getattr(default, k)) for k, v in value]
        else:
            pairs = [(key, value, default)]
        found += [f"{name} = {_written(new)}" for name, new, old in pairs if new != old]
    return found


def _line(section: _Section, key: str, value: Any) -> str:  # any field
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
    """Make a path absolute, so that the run means the same from wherever it is resumed."""
    value = setting.value
    if not isinstance(value, str) or not value:
        return setting
    is_problem = setting.path == ("problem",) and (
        "/" in value or (setting.folder / value / "problem.toml").is_file()
    )
    if is_problem or setting.path == ("memory", "vocabulary"):
        whole = (setting.folder / Path(value).expanduser()).resolve()
        return setting._replace(value=str(whole))
    return setting


def _validated(given: Sequence[Setting], source: str) -> Run:
    settings = [_anchored(setting) for setting in given]
    try:
        return Run.model_validate(nested(settings))
    except ValidationError as err:
        raise _explained(err.errors(), settings, source) from err


def _explained(
    errors: Sequence[ErrorDetails], settings: Sequence[Setting], source: str
) -> ConfigError:
    # An unknown key comes first: it is often why another one is missing.
    first = min(errors, key=lambda error: error["type"] != "extra_forbidden")
    where = tuple(str(part) for part in first["loc"])
    place = f"{source_of(where, settings, source)}: {'.'.join(where)}"
    if first["type"] == "extra_forbidden":
        return ConfigError(f"{place}: unknown key", hint=_nearest(where))
    message = first["msg"].removeprefix("Value error, ")
    got = "" if first["type"] in {"missing", "value_error"} else f", not {first['input']!r}"
    return ConfigError(f"{place}: {message}{got}", hint=_help(where))


def _nearest(where: Sequence[str]) -> str:
    keys = {key: f"{above}.{key}" for above, key in _keys() if above}
    beside = [key for above, key in _keys() if above == ".".join(where[:-1])]
    known = beside if where[:-1] else [*beside, "extends"]
    hint = did_you_mean(where[-1], known) or did_you_mean(
        keys.get(where[-1], ""), keys.values()
    )
    return hint or f"known here: {', '.join(known)}"


def _keys() -> Iterator[tuple[str, str]]:
    for key, field in Run.model_fields.items():
        yield "", key
        if isinstance(field.default, _Section):
            yield from ((key, inner) for inner in type(field.default).model_fields)


def _help(where: Sequence[str]) -> str:
    section: type[_Section] = Run
    for key in where:
        field = section.model_fields.get(key)
        if field is None:
            break
        if not isinstance(field.default, _Section):
            return f"{key}: {field.description}"
        section = type(field.default)
    return f"its keys: {', '.join(section.model_fields)}"
