"""Find plug-ins by name, and load only what is asked for.

A name is an entry point of the kind's group (`se_agent.operators`, `se_agent.evaluators`,
`se_agent.policies`, `se_agent.models`, `se_agent.folds`, `se_agent.memory_tiers`), or
`module:attribute`. What is made is seen to have what its seam asks for. Not here: what the
seams are (`protocols`), nor whether a plug-in does what it says: the contract suites test that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import cache, reduce
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import se_agent
from se_agent.environment.own import show_secrets
from se_agent.errors import ConfigError, HiddenPackageError, UnknownPluginError
from se_agent.program.parsing import signature_of

Kind = Literal["operator", "evaluator", "policy", "model", "fold", "tier", "memory_server"]

_GROUPS = {
    "operator": "se_agent.operators",
    "evaluator": "se_agent.evaluators",
    "policy": "se_agent.policies",
    "model": "se_agent.models",
    "fold": "se_agent.folds",
    "tier": "se_agent.memory_tiers",
    "memory_server": "se_agent.memory_servers",
}
_OURS = ("evaluators", "operators")


def names(kind: Kind, *, among: Iterable[EntryPoint] | None = None) -> tuple[str, ...]:
    """Return the registered names of a kind, sorted; nothing is imported."""
    return tuple(sorted(_known(kind, among)))


def load(
    kind: Kind, name: str, *, among: Iterable[EntryPoint] | None = None
) -> Any:  # the class or factory of any seam
    """Return the object that the run file calls `name`.

    Args:
        kind: The seam that it serves.
        name: A registered name, or `module:attribute`.
        among: Entry points to choose from; None: all that are installed.

    Raises:
        UnknownPluginError: Nothing is registered under this name.
        HiddenPackageError: A folder on the path hides our package of that name.
        ConfigError: The module cannot be imported, or has no such attribute.
    """
    known = _known(kind, among)
    module, _, attribute = known.get(name, name).partition(":")
    if not _dotted(module) or not _dotted(attribute):
        raise UnknownPluginError(kind, name, known)
    package = module.partition(".")[0]
    if name in known and package in _OURS:
        check_origin(package)
    return _loaded(f"{kind} {name!r}", module, attribute)


def make(
    kind: Kind, name: str, /, *given: object, **more: object
) -> Any:  # an implementation of any seam
    """Make a plug-in of what the run file calls `name`.

    Args:
        kind: The seam that it serves.
        name: A registered name, or `module:attribute`.
        given: What a plug-in of its kind is made from.
        more: The same, by name.

    Raises:
        ConfigError: It cannot be made from that, or lacks what its seam asks for.
        UnknownPluginError: Nothing is registered under this name.
    """
    with (
        show_secrets() if kind == "model" else nullcontext()
    ):  # it may look for a key of its own
        return _made(kind, name, given, more)


def takes(factory: object, parameter: str) -> bool:
    """Say whether a plug-in can be made with an argument of this name."""
    try:
        return callable(factory) and parameter in signature_of(factory).parameters
    except ValueError:
        return False


def check_origin(package: str) -> None:
    """Make sure that Python finds our `operators` or `evaluators`, not a stranger's.

    Raises:
        HiddenPackageError: The one that it finds does not lie beside `se_agent`.
    """
    home, got = Path(se_agent.__file__).resolve().parents[1], _folder(package)
    if got is None:
        raise HiddenPackageError(
            f"{package!r} is missing beside se_agent in {home}", hint="install se-agent again"
        )
    if got != home:
        raise HiddenPackageError(
            f"{package!r} was found in {got}, not beside se_agent in {home}",
            hint=f"rename your {package!r}, or start in another directory",
        )


def _known(kind: Kind, among: Iterable[EntryPoint] | None) -> dict[str, str]:
    if among is None:
        return _installed(kind, tuple(sys.path))
    return {point.name: point.value for point in among}


@cache
def _installed(kind: Kind, path: tuple[str, ...]) -> dict[str, str]:
    """Read what is installed once: each look opens the record of every package there is."""
    del path  # another one has other packages
    return {point.name: point.value for point in entry_points(group=_GROUPS[kind])}


def _dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _loaded(what: str, module: str, attribute: str) -> Any:  # the class or factory of any seam
    try:
        return reduce(getattr, attribute.split("."), import_module(module))
    except ImportError as err:
        for package in _OURS:  # the module may be a stranger's that needs one of ours
            check_origin(package)
        hint = "install what is missing, or put its folder on PYTHONPATH"
        raise ConfigError(f"{what}: {err}", hint=hint) from err
    except SyntaxError as err:
        raise ConfigError(f"{what}: {err}", hint="mend that file") from err
    except AttributeError as err:
        hint = "write module:attribute, with an attribute that the module defines"
        raise ConfigError(f"{what}: {err}", hint=hint) from err


def _folder(package: str) -> Path | None:
    spec = find_spec(package)
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or ())
    return Path(places[0] if places else str(spec.origin)).resolve().parent


def _made(
    kind: Kind, name: str, given: Sequence[object], more: Mapping[str, object]
) -> Any:  # an implementation of any seam
    factory = load(kind, name)
    try:
        signature_of(factory).bind(*given, **more)
    except (TypeError, ValueError) as err:  # some builtins have no signature
        raise ConfigError(f"{kind} {name!r} cannot be made: {err}", hint=_asked(kind)) from err
    made = factory(*given, **more)
    if missing := min((_missing(made, seam) for seam in _seams(kind)), key=len):
        told = f"{name!r} makes no {kind}: what it makes has no {', '.join(missing)}"
        raise ConfigError(told, hint=_asked(kind))
    return made


def _seams(kind: Kind) -> tuple[type, ...]:
    """Return the seams of which a plug-in has to serve one."""
    from se_agent import protocols  # loads pydantic, and who only looks for names needs none

    seams: dict[Kind, tuple[type, ...]] = {
        "operator": (protocols.Operator, protocols.ModelWritten),
        "evaluator": (protocols.Evaluator,),
        "policy": (protocols.Policy,),
        "model": (protocols.Model,),
        "fold": (protocols.Fold,),
        "tier": (protocols.MemoryTier,),
    }
    return seams[kind]


def _asked(kind: Kind) -> str:
    seams = (f"{seam.__name__} ({', '.join(_members(seam))})" for seam in _seams(kind))
    return f"see {' or '.join(seams)} in se_agent.protocols"


def _missing(made: object, seam: type) -> list[str]:
    return [name for name in _members(seam) if not hasattr(made, name)]


def _members(seam: type) -> list[str]:
    return [name for name in vars(seam) if not name.startswith("_")]
