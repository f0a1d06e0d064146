"""What somebody wrote: keys and values from TOML files and `--set`, each with its source.

Old keys are settings of the new ones. Not here: which keys there are and what they may hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from se_agent.config.renamed_keys import with_new_keys
from se_agent.config.settings import Setting, flat
from se_agent.config.toml_text import value_text
from se_agent.errors import ConfigError
from se_agent.files import plain
from se_agent.files.bounded import TomlError, require_key, toml

_LONGEST = 32  # files of a chain of `extends`


def read(path: Path) -> list[Setting]:
    """Return the settings of a file, after those of the file that it extends.

    Raises:
        ConfigError: A file is missing or not TOML, or `extends` goes in a circle, or on and on.
    """
    return _chain(path, ())


def _chain(path: Path, seen: tuple[Path, ...]) -> list[Setting]:
    whole = _resolved(path)
    if whole in seen:
        circle = " -> ".join(file.name for file in (*seen, path))
        raise ConfigError(
            f"{path}: extends goes in a circle: {circle}",
            hint="remove one of the extends lines",
        )
    if len(seen) == _LONGEST:
        raise ConfigError(
            f"{path}: more than {_LONGEST} run files extend each other",
            hint="write what they say into one",
        )
    table = _table(path)
    base = table.pop("extends", None)
    own = with_new_keys(flat(table, str(path), path.parent))
    if base is None:
        return own
    if not isinstance(base, str):
        raise ConfigError(f"{path}: extends: not a string", hint='write extends = "base.toml"')
    return [*_chain(path.parent / base, (*seen, whole)), *own]


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as err:  # too long, links in a circle, a NUL
        raise ConfigError(
            f"{path}: no path: {err}", hint="give the path of a run file"
        ) from err


def _table(path: Path) -> dict[str, Any]:  # whatever TOML can say
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path}: not a file", hint="give the path of a run file")
    try:
        return toml(plain.text(path))
    except OSError as err:
        hint = "give the path of a run file, or the name of a problem"
        raise ConfigError(f"{path}: {err.strerror}", hint=hint) from err
    except (TomlError, UnicodeDecodeError) as err:
        at = f" (at line {err.line})" if isinstance(err, TomlError) and err.line else ""
        told = f"{path}: not valid TOML: {err}{at}"
        raise ConfigError(told, hint="a run file is TOML") from err


def overrides(given: Iterable[str | Setting], option: str = "--set") -> list[Setting]:
    """Return the settings of `key=value` texts: dotted keys, TOML values or bare strings.

    The source of each is its key: somebody may have put a secret into the value.

    Args:
        given: The texts; what is a setting already stays as it is.
        option: What the texts were given by, for messages.

    Raises:
        ConfigError: A text has no `=`, or no key before it; or a key is given by two names.
    """
    return with_new_keys(each for one in given for each in _settings(one, option))


def keyword_settings(given: Mapping[str, Any]) -> list[Setting]:
    """Return the settings that Python code gives by name.

    Args:
        given: By key, which may be dotted; those of a table as a mapping.

    Raises:
        ConfigError: See `overrides`.
    """
    return overrides((f"{key}={value_text(value)}" for key, value in _dotted(given)), "setting")


def _dotted(given: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted keys with their values."""
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield from _dotted(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


def _settings(text: str | Setting, option: str) -> Iterator[Setting]:
    if isinstance(text, Setting):
        yield text
        return
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not all(key.split(".")):
        told = f"{option} {key}=" if equals else option
        raise ConfigError(f"{told}: not key=value", hint="such as --set seed=1")
    *above, last = key.split(".")
    try:
        require_key(len(above) + 1)
    except TomlError as err:
        raise ConfigError(f"{option}: {err}", hint="such as --set seed=1") from err
    yield from flat({last: _value(value)}, f"{option} {key}", Path(), *above)


def _value(text: str) -> Any:  # whatever TOML can say
    try:
        table = toml(f"value = {text}")
    except TomlError:
        return text
    return table["value"] if len(table) == 1 else text
