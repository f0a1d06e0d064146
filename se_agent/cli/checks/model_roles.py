"""What `check` says of the models of a run: which are asked for what. It asks none of them.

Not here: whether an endpoint answers (`commands.doctor`), and what a run would say to it
(`commands.dry_run`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.problem.model import Problem


def asked_models(config: Run, problem: Problem) -> list[tuple[str, str]]:
    """Return a line for each model that a run would ask, with its share of each role's calls.

    Raises:
        ConfigError: A model is missing, or a price; a context or the budget has no room for a
            first prompt and a reply.
        ModelError: One cannot be asked at all: its key is missing, or its address is none.
        UnknownPluginError: Nothing speaks to it under the name of its provider.
    """
    from se_agent.engine.models import endpoints
    from se_agent.engine.run.dry_run import check_budget, check_context, openings
    from se_agent.engine.run.resolve import operators_of

    roles = endpoints.roles_of(config, operators_of(config, language=problem.language))
    if not roles:
        return []
    opened = openings(config, problem)
    check_context(config, opened)
    check_budget(config, opened)
    with endpoints.made(config, roles) as models:
        names = list(models)
    by_role = {one.role.value: one.models for one in opened}
    told = [
        f"{name}: {config.models[name].name}, "
        + ", ".join(
            f"{role} {given[name]:.0%}" for role, given in by_role.items() if name in given
        )
        for name in names
    ]
    return [("" if place else "models", line) for place, line in enumerate(told)]
