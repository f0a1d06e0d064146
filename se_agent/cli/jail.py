"""The jail that the survey of a user's inputs asks: a fork server, one job a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluators.sandbox.job import Job, JobAnswer
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.problem.model import Limits
from se_agent.user_function.jail_calls import Answered, CallResult
from se_agent.user_function.site import Access
from se_agent.values.evaluation import Status


class ForkedJail:
    """Calls functions in jailed processes; close it when done."""

    def __init__(self, access: Access, isolation: str = "jail") -> None:
        self._server = ForkServer(
            isolation, imports=access.imports, site=access.site, opened=access.opened
        )

    def call(
        self,
        program: str,
        entry_point: str,
        arguments: Sequence[bytes],
        *,
        cpu_seconds: float,
        warm: int = 0,
    ) -> CallResult:
        """Return what came of the calls; see `se_agent.user_function.jail_calls.CallJail`."""
        if not arguments:
            return CallResult(answers=(), cpu_seconds=0.0)
        outcome = self._server.run(
            Job(
                program=program,
                entry_point=entry_point,
                inputs=tuple(arguments),
                limits=Limits(cpu_seconds=cpu_seconds),
                keep_errors=True,
                warm=warm,
            )
        )
        answers = tuple(_answered(answer) for answer in outcome.answers)
        failure = ""
        if outcome.status is not Status.AC:
            told = outcome.feedback.strip() or "no reason given"
            failure = told if outcome.status is Status.RE else f"{outcome.status}: {told}"
        return CallResult(
            answers=answers,
            cpu_seconds=outcome.cpu_seconds,
            wall_seconds=outcome.usage.wall_seconds - (outcome.usage.delayed_seconds or 0.0),
            calls_seconds=outcome.calls_seconds,
            failure=failure,
        )

    def close(self) -> None:
        """End the fork server."""
        self._server.close()


def _answered(answer: JobAnswer) -> Answered:
    return Answered(data=answer.value, error=answer.error, arguments=answer.arguments)


if TYPE_CHECKING:
    from se_agent.user_function.jail_calls import CallJail

    _: type[CallJail] = ForkedJail
