"""What somebody wrote: keys and values from TOML files and `--set`, each with its source.

Not here: which keys there are and what they may hold (`config`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from se_agent.errors import ConfigError
from se_agent.files import plain
from se_agent.files.bounded import TomlError, require_key, toml

_LONGEST = 32  # files of a chain of `extends`


class Setting(NamedTuple):
    """One key as it was written.

    Attributes:
        path: The key and the tables above it.
        value: Whatever TOML can say.
        source: File or option, for messages.
        folder: Where a relative path in it starts.
    """

    path: tuple[str, ...]
    value: Any
    source: str
    folder: Path = Path()


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
    own = list(flat(table, str(path), path.parent))
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


def flat(
    table: Mapping[str, Any], source: str, folder: Path = Path(), *above: str
) -> Iterator[Setting]:
    """Yield the settings of a table, those of the tables in it one by one."""
    for key, value in table.items():
        if isinstance(value, dict) and value:
            yield from flat(value, source, folder, *above, key)
        else:
            yield Setting((*above, key), value, source, folder)


def overrides(texts: Iterable[str]) -> Iterator[Setting]:
    """Yield the settings of `key=value` texts: dotted keys, TOML values or bare strings.

    The source of each is its key: somebody may have put a secret into the value.

    Raises:
        ConfigError: A text has no `=`, or no key before it.
    """
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not all(key.split(".")):
            told = f"--set {key}=" if equals else "--set"
            raise ConfigError(f"{told}: not key=value", hint="such as --set seed=1")
        *above, last = key.split(".")
        try:
            require_key(len(above) + 1)
        except TomlError as err:
            raise ConfigError(f"--set: {err}", hint="such as --set seed=1") from err
        yield from flat({last: _value(value)}, f"--set {key}", Path(), *above)


def _value(text: str) -> Any:  # whatever TOML can say
    try:
        table = toml(f"value = {text}")
    except TomlError:
        return text
    return table["value"] if len(table) == 1 else text


def nested(settings: Iterable[Setting]) -> dict[str, Any]:
    """Return the settings as one table; of two that set the same key the later wins."""
    root: dict[str, Any] = {}
    for setting in settings:
        *above, key = setting.path
        table = root
        for name in above:
            if not isinstance(table.get(name), dict):
                table[name] = {}
            table = table[name]
        empty = setting.value == {} and isinstance(table.get(key), dict)
        if not empty:  # an empty table takes nothing away
            table[key] = setting.value
    return root


def source_of(path: tuple[str, ...], settings: Iterable[Setting], default: str) -> str:
    """Return the source of the last setting at, above or below a path."""
    for setting in settings:
        if all(a == b for a, b in zip(setting.path, path, strict=False)):
            default = setting.source
    return default
