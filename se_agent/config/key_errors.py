"""What is said of a wrong key or value of the run file: where it is, and what is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic_core import ErrorDetails

from se_agent.config.added_sections import GROUP
from se_agent.config.section import OpenSection, Section, fields_of
from se_agent.config.settings import Setting, source_of
from se_agent.config.tables import NAME, keys, places
from se_agent.errors import ConfigError, meant_hint, nearest

_KEY_WORD = "[key]"
"""What pydantic appends to the place of a wrong name."""
_INSTALL = f"install the package that adds it (entry points {GROUP!r}), or leave it out"


def explained_error(
    root: type[Section],
    errors: Sequence[ErrorDetails],
    settings: Sequence[Setting],
    source: str,
) -> ConfigError:
    """Return the error that says what is wrong, and what to do next.

    Args:
        root: The class of the run file.
        errors: What was found wrong.
        settings: What was given.
        source: Source of what has no setting, such as a key that is missing.
    """
    causes = (error.get("ctx", {}).get("error") for error in errors)
    for cause in causes:
        if isinstance(cause, ConfigError):  # it says itself what is wrong
            return cause
    # An unknown key comes first: it is often why another one is missing.
    first = min(errors, key=lambda error: error["type"] != "extra_forbidden")
    where = tuple(str(part) for part in first["loc"] if part != _KEY_WORD)
    place = place_in(where, settings, source)
    if first["type"] == "extra_forbidden":
        return _unknown(root, where, place, holds_table=isinstance(first["input"], Mapping))
    of_models = where[:1] == ("models",)
    if of_models and "key" in where[-1].lower():
        return ConfigError(
            f"{place}: not the name of a variable in capitals", hint=help_of(root, where)
        )
    message = first["msg"].removeprefix("Value error, ")
    return ConfigError(f"{place}: {message}{_got(first)}", hint=help_of(root, where))


def _unknown(
    root: type[Section], where: tuple[str, ...], place: str, *, holds_table: bool
) -> ConfigError:
    """Return the error about a key, or a section, that is not known here."""
    section = places(root, where[:-1])[-1].section
    is_open = section is not None and issubclass(section, OpenSection)
    if holds_table and is_open and section and not nearest(where[-1], fields_of(section)):
        told = f"{place}: unknown section: no package that is installed here adds it"
        return ConfigError(told, hint=_INSTALL)
    return ConfigError(f"{place}: unknown key", hint=_nearest(root, where))


def place_in(where: tuple[str, ...], settings: Sequence[Setting], source: str) -> str:
    """Return where a key was given, with its name: a file, or an option."""
    given = source_of(where, settings, source)
    path = ".".join(where)
    return given if given.endswith(f" {path}") else f"{given}: {path}"


def help_of(root: type[Section], where: Sequence[str]) -> str:
    """Return the help text of a key, or the keys of a table."""
    way = places(root, where)
    if way[-1].section and not way[-1].named:
        return f"its keys: {', '.join(fields_of(way[-1].section))}"
    return f"{where[len(way) - 2]}: {way[-1].field.description if way[-1].field else ''}"


def _got(first: ErrorDetails) -> str:
    """Return the wrong value, unless it could be a secret."""
    # Of a model only what can be neither a key nor a password is repeated.
    of_models = first["loc"][:1] == ("models",)
    harmless = isinstance(first["input"], int | float) or _KEY_WORD in first["loc"]
    silent = first["type"] in {"missing", "value_error"} or (of_models and not harmless)
    return "" if silent else f", not {first['input']!r}"


def _nearest(root: type[Section], where: Sequence[str]) -> str:
    """Return the key that is meant: in the same table, else in one as near as possible."""
    *above, wrong = where
    section = places(root, above)[-1].section
    beside = [*(fields_of(section) if section else ())]
    known = beside if above else [*beside, "extends"]
    if near := nearest(wrong, known):
        return meant_hint(".".join([*above, near]))
    elsewhere = _elsewhere(root, above)
    key = elsewhere.get(nearest(wrong, elsewhere), "")
    return meant_hint(key) or f"known here: {', '.join(known)}"


def _elsewhere(root: type[Section], above: Sequence[str]) -> dict[str, str]:
    """Return the dotted keys of all tables by their last part; the nearest table wins."""
    found = [path for path, _ in keys(root) if len(path) > 1]
    found.sort(key=lambda path: _shared(path, above), reverse=True)
    found.reverse()  # of two that are as near the first wins, for it is written last
    return {path[-1]: ".".join(path) for path in found}


def _shared(path: Sequence[str], above: Sequence[str]) -> int:
    """Return how many tables two paths share, from the first on."""
    pairs = list(zip(path, above, strict=False))
    return next((n for n, (a, b) in enumerate(pairs) if a not in (b, NAME)), len(pairs))
