"""Plug-ins at work: made by name, and seen to have what their seam asks for.

Not here: how a name is found (`registry`), nor whether a plug-in does what it says: the
contract suites test that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from se_agent import registry
from se_agent.environment.own import shown
from se_agent.errors import ConfigError
from se_agent.program.parsing import signature_of
from se_agent.protocols import Evaluator, Model, ModelWritten, Operator, Policy

_SEAMS: dict[registry.Kind, tuple[type, ...]] = {
    "operator": (Operator, ModelWritten),
    "evaluator": (Evaluator,),
    "policy": (Policy,),
    "model": (Model,),
}


def make(
    kind: registry.Kind, name: str, /, *given: object, **more: object
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
    with shown() if kind == "model" else nullcontext():  # it may look for a key of its own
        return _made(kind, name, given, more)


def _made(
    kind: registry.Kind, name: str, given: Sequence[object], more: Mapping[str, object]
) -> Any:  # an implementation of any seam
    factory = registry.load(kind, name)
    try:
        signature_of(factory).bind(*given, **more)
    except (TypeError, ValueError) as err:  # some builtins have no signature
        raise ConfigError(f"{kind} {name!r} cannot be made: {err}", hint=_asked(kind)) from err
    made = factory(*given, **more)
    if missing := min((_missing(made, seam) for seam in _SEAMS[kind]), key=len):
        told = f"{name!r} makes no {kind}: what it makes has no {', '.join(missing)}"
        raise ConfigError(told, hint=_asked(kind))
    return made


def takes(factory: object, parameter: str) -> bool:
    """Say whether a plug-in can be made with an argument of this name."""
    try:
        return callable(factory) and parameter in signature_of(factory).parameters
    except ValueError:
        return False


def _asked(kind: registry.Kind) -> str:
    seams = (f"{seam.__name__} ({', '.join(_members(seam))})" for seam in _SEAMS[kind])
    return f"see {' or '.join(seams)} in se_agent.protocols"


def _missing(made: object, seam: type) -> list[str]:
    return [name for name in _members(seam) if not hasattr(made, name)]


def _members(seam: type) -> list[str]:
    return [name for name in vars(seam) if not name.startswith("_")]
