"""The models of a run: which roles need one, whether the run file suits them, and their making.

Not here: asking them (`calls`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from se_agent import registry
from se_agent.abilities.optional import Reachable
from se_agent.chat.messages import Role, is_name
from se_agent.config.roles import ROLES, RoleMatrix
from se_agent.config.run_file import Run
from se_agent.engine.search.choice import weights
from se_agent.environment.own import set_apart
from se_agent.errors import ConfigError, ModelError, did_you_mean
from se_agent.protocols import Model, ModelWritten, Operator
from se_agent.wording import counted

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_ROLE = "a role is a name of small letters, digits and `_`"
_NAME_ONE = "name one: --set models.main.name=MODEL, with its key in OPENAI_API_KEY"


def is_written(operator: Operator | ModelWritten) -> TypeIs[ModelWritten]:
    """Say whether a model writes what the operator proposes."""
    return not hasattr(operator, "propose")


def roles_of(config: Run, operators: Mapping[str, Operator | ModelWritten]) -> dict[str, str]:
    """Return the roles that a run asks models in, each with what needs it, for people.

    Raises:
        ConfigError: No model of the run file may be asked in one of them, money is limited and
            a price is missing, or a role is not what its operator or the run file says.
    """
    written = {name: each for name, each in operators.items() if is_written(each)}
    _check_roles(config, written)
    asked: dict[str, str] = {o.role: f"operator {n!r}" for n, o in written.items()}
    if config.memory.enabled and config.memory.extraction != "declared":
        asked[Role.EXTRACT] = f"memory.extraction = {config.memory.extraction!r}"
    if config.memory.enabled and config.memory.local.compression == "model":
        asked[Role.COMPRESS] = "memory.local.compression = 'model'"
    for role, what in asked.items():
        if not config.models:
            raise ConfigError(
                f"{what} needs a model, and the run file names none", hint=_NAME_ONE
            )
        if not weights(config.models, role):
            raise ConfigError(
                f"{what} needs a model, and none has a weight above 0 for {str(role)!r}",
                hint=f"set models.NAME.weights.{role} of one of {_listed(config.models)}",
            )
    _check_prices(config, asked)
    return asked


def _check_roles(config: Run, written: Mapping[str, ModelWritten]) -> None:
    """Refuse a role of others that is no name or has other parents, and names of no role."""
    matrix = RoleMatrix.of(config)
    known = sorted({*map(str, ROLES), *(str(each.role) for each in written.values())})
    for name, each in written.items():
        if not is_name(each.role):
            raise ConfigError(
                f"operator {name!r}: its role {each.role!r} is no name", hint=_ROLE
            )
        if each.role not in ROLES and each.arity != matrix[each.role].parents:
            raise ConfigError(
                f"operator {name!r} takes {counted(each.arity, 'program')}, and its role "
                f"{str(each.role)!r} {matrix[each.role].parents}",
                hint=f"set roles.{each.role}.parents = {each.arity}",
            )
    named = [
        (f"models.{name}.weights", role)
        for name, model in config.models.items()
        for role in model.weights
    ]
    for table, role in [*named, *(("roles", role) for role in config.roles)]:
        if role not in known:
            raise ConfigError(
                f"{table}.{role}: no operator of this run has that role",
                hint=did_you_mean(role, known) or f"known: {_listed(known)}",
            )


def _check_prices(config: Run, roles: Iterable[str]) -> None:
    if config.budget.money is None:
        return
    for name in _needed(config, roles):
        model = config.models[name]
        if model.prompt_price is None or model.completion_price is None:
            raise ConfigError(
                f"budget.money: models.{name} has no prices",
                hint=f"set prompt_price and completion_price of models.{name}",
            )


@contextmanager
def made(config: Run, roles: Iterable[str]) -> Iterator[dict[str, Model]]:
    """Make every model that may be asked in one of the roles, and close all, however this ends.

    Raises:
        ConfigError: What speaks to it has not what a model has.
        ModelError: One cannot be asked at all: its key is missing.
        UnknownPluginError: Nothing speaks to it under that name.
    """
    with ExitStack() as stack:
        models: dict[str, Model] = {}
        set_apart(endpoint.key for endpoint in config.models.values())
        for name in _needed(config, roles):
            endpoint = config.models[name]
            models[name] = registry.make("model", endpoint.provider, endpoint)
            stack.callback(models[name].close)
        yield models


def reach(models: Mapping[str, Model]) -> None:
    """See whether any of the models can be reached, before anything is spent.

    Raises:
        ModelError: None can.
    """
    failed: list[ModelError] = []
    for model in models.values():
        try:
            if isinstance(model, Reachable):
                model.reach()
        except ModelError as err:
            failed.append(err)
    if failed and len(failed) == len(models):
        raise failed[0]


def _needed(config: Run, roles: Iterable[str]) -> list[str]:
    return sorted({name for role in roles for name in weights(config.models, role)})


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
