"""`run --dry-run`: shows what a run would ask its models, and asks nobody.

Not here: how that is worked out (`se_agent.engine.run.dry_run`).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from se_agent.cli.screen import Screen

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.engine.run.dry_run import Estimate, FirstRequests
    from se_agent.engine.run.resolve import ResolvedRun


def rehearse(resolved: ResolvedRun, screen: Screen) -> None:
    """Show the first prompt of each operator, its tokens, and what all calls come to, about.

    Raises:
        ConfigError: The run would ask no model, or its budget has no room for a call.
    """
    from se_agent.engine.run.dry_run import (
        check_budget,
        context_doubts,
        estimate,
        first_requests,
    )

    config, requests = resolved.config, first_requests(resolved)
    check_budget(config, requests)
    about = estimate(resolved, requests)
    for one in requests:
        _show(config, one, screen)
    for doubt in context_doubts(resolved, requests):
        screen.say(f"!!! {doubt}")
    for line in _summary(about):
        screen.say(line)
    screen.answer({"prompts": [asdict(one) for one in requests], "estimate": asdict(about)})


def _show(config: Run, one: FirstRequests, screen: Screen) -> None:
    models = ", ".join(f"{name} {share:.0%}" for name, share in one.models.items())
    screen.say(f"=== {one.role}: {one.source}; {one.tokens} tokens; asked: {models}")
    for message in one.messages:
        screen.say(f"--- {message.role}")
        screen.quote(message.content)
    for name in one.models:
        endpoint = config.models[name]
        if one.tokens + endpoint.max_tokens > endpoint.context:
            screen.say(
                f"!!! models.{name}.context = {endpoint.context} has no room for this prompt "
                f"and a reply of {endpoint.max_tokens} tokens"
            )
    screen.say("")


def _summary(about: Estimate) -> list[str]:
    def told(value: float | None, digits: int = 0) -> str:
        return "unknown" if value is None else f"about {value:,.{digits}f}"

    lines = [
        "nobody was asked; memory is empty yet, and the initial program stands in for others",
        f"calls   {told(about.calls)}",
        f"tokens  {told(about.tokens)}",
        f"money   {told(about.money, 4)}",
    ]
    if about.ends:
        lines.append(f"ended by {' or '.join(about.ends)}, before the other limits")
    return lines
