"""What `check` says of the models of a run: which are asked for what. It asks none of them.

Not here: whether an endpoint answers (`commands.doctor`), and what a run would say to it
(`commands.dry_run`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from se_agent.engine.run.resolve import ResolvedRun


def asked_models(resolved: ResolvedRun) -> list[tuple[str, str]]:
    """Return a line for each model that a run would ask, with its share of each role's calls.

    Raises:
        ConfigError: A model is missing, or a price; a context or the budget has no room for a
            first prompt and a reply.
        ModelError: One cannot be asked at all: its key is missing, or its address is none.
        UnknownPluginError: Nothing speaks to it under the name of its provider.
    """
    from se_agent.engine.models import endpoints
    from se_agent.engine.run.dry_run import check_budget, check_context, first_requests

    config, roles = resolved.config, resolved.roles
    if not roles:
        return []
    requests = first_requests(resolved)
    check_context(config, requests)
    check_budget(config, requests)
    with endpoints.made(config, roles) as models:
        names = list(models)
    by_role = {str(one.role): one.models for one in requests}
    told = [
        f"{name}: {config.models[name].name}, "
        + ", ".join(
            f"{role} {given[name]:.0%}" for role, given in by_role.items() if name in given
        )
        for name in names
    ]
    return [("" if place else "models", line) for place, line in enumerate(told)]
