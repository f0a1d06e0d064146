"""The models of a run: which roles need one, whether the run file suits them, and their making.

Not here: asking them (`calls`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from se_agent import registry
from se_agent.abilities.optional import Reachable
from se_agent.chat.messages import Role
from se_agent.config.run_file import Run
from se_agent.engine.search.choice import weights
from se_agent.environment.own import set_apart
from se_agent.errors import ConfigError, ModelError
from se_agent.protocols import Model, ModelWritten, Operator

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_NAME_ONE = "name one: --set models.main.name=MODEL, with its key in OPENAI_API_KEY"


def is_written(operator: Operator | ModelWritten) -> TypeIs[ModelWritten]:
    """Say whether a model writes what the operator proposes."""
    return not hasattr(operator, "propose")


def roles_of(config: Run, operators: Mapping[str, Operator | ModelWritten]) -> dict[Role, str]:
    """Return the roles that a run asks models in, each with what needs it, for people.

    Raises:
        ConfigError: No model of the run file may be asked in one of them, or money is limited
            and a price is missing.
    """
    asked = {o.role: f"operator {n!r}" for n, o in operators.items() if is_written(o)}
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
                f"{what} needs a model, and none has a weight above 0 for {role.value!r}",
                hint=f"set models.NAME.weights.{role.value} of one of {_listed(config.models)}",
            )
    _check_prices(config, asked)
    return asked


def _check_prices(config: Run, roles: Iterable[Role]) -> None:
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
def made(config: Run, roles: Iterable[Role]) -> Iterator[dict[str, Model]]:
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


def _needed(config: Run, roles: Iterable[Role]) -> list[str]:
    return sorted({name for role in roles for name in weights(config.models, role)})


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
