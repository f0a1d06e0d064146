"""The search that a run file names: a policy, or several in a relay, made for its operators.

Not here: the policies themselves (`engine.search`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from se_agent import registry
from se_agent.config.roles import RoleMatrix
from se_agent.config.run_file import Run
from se_agent.engine.models.endpoints import is_written
from se_agent.engine.search.search_space import mends, unites
from se_agent.errors import ConfigError
from se_agent.protocols import ModelWritten, Operator, Policy

Operators = Mapping[str, Operator | ModelWritten]


def policy_of(config: Run, operators: Operators) -> Policy:
    """Return the search of a run.

    One that takes `written` is told the roles of the operators that a model writes, and in
    `asking` how these are used; to one that does not, all operators are alike, and those that
    need more than parents are left out. One that takes `matrix` is told what roles need. One
    that takes `uniting` is told the operator that makes several changes together, one that
    takes `mending` the one that mends failing programs; to others there is none. One that
    takes `parts` is given the policies of `[relay]`, and nothing else.

    Args:
        config: Its `policy`, `seed`, `asking` and `relay`.
        operators: By registered name.

    Raises:
        ConfigError: It has not what a policy has, or a relay would be a part of a relay.
        UnknownPluginError: It is not registered.
    """
    if not _takes_parts(config.policy):
        return _made(config.policy, config, operators)
    parts = [(name, _made(name, config, operators)) for name in _parts(config)]
    plateau = config.relay.plateau
    made: Policy = registry.make("policy", config.policy, parts=parts, plateau=plateau)
    return made


def _takes_parts(policy: str) -> bool:
    return registry.takes(registry.load("policy", policy), "parts")


def _parts(config: Run) -> Sequence[str]:
    """Return the policies that a run consists of."""
    if not _takes_parts(config.policy):
        return (config.policy,)
    parts = config.relay.parts
    if inner := [name for name in parts if _takes_parts(name)]:
        raise ConfigError(
            f"relay.parts: {inner[0]!r} has parts of its own",
            hint="name plain policies, such as portfolio, cse or sequential_refine",
        )
    return parts


def _made(policy: str, config: Run, operators: Operators) -> Policy:
    uniting = [name for name, operator in operators.items() if unites(operator)]
    mending = [name for name, operator in operators.items() if mends(operator)]
    apart = {*uniting, *mending}
    arities = {n: operator.arity for n, operator in operators.items() if n not in apart}
    written = {name: each.role for name, each in operators.items() if is_written(each)}
    more, matrix = dict[str, object](), RoleMatrix.of(config)
    make = registry.load("policy", policy)
    if uniting and registry.takes(make, "uniting"):
        more["uniting"] = uniting[0]
    if mending and registry.takes(make, "mending"):
        more["mending"] = mending[0]
    if registry.takes(make, "written"):
        more |= {"written": written, "asking": config.asking}
    else:
        others = {name for name, role in written.items() if not matrix.is_plain(role)}
        arities = {name: arity for name, arity in arities.items() if name not in others}
    if registry.takes(make, "matrix"):
        more["matrix"] = matrix
    made: Policy = registry.make("policy", policy, arities, seed=config.seed, **more)
    return made


def used_of(config: Run, written: Mapping[str, str]) -> list[str]:
    """Return which operators of models the search of a run uses, as it says itself.

    Args:
        config: Its `policy`, and `relay`.
        written: Names of such operators, with their roles.
    """
    matrix = RoleMatrix.of(config)
    used = {name for part in _parts(config) for name in _used(part, written, matrix)}
    return [name for name in written if name in used]


def _used(policy: str, written: Mapping[str, str], matrix: RoleMatrix) -> list[str]:
    make = registry.load("policy", policy)
    favourite = getattr(make, "favourite", "")
    if favourite in written.values():
        return [name for name, role in written.items() if role == favourite]
    strategic = getattr(make, "strategic", registry.takes(make, "written"))
    return [name for name, role in written.items() if strategic or matrix.is_plain(role)]
