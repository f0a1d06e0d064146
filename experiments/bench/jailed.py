"""What the fork server makes of the same machine: a trivial job, compiled, called, answered."""

from __future__ import annotations

from drivers import rate

from evaluators.sandbox.job import Job
from evaluators.sandbox.server import ForkServer
from se_agent.types import Status

_JOB = Job(
    program="def solve(x):\n    return x\n",
    entry_point="solve",
    inputs=(b'{"t":[1]}',),
)


def prepare() -> ForkServer:
    """Start a fork server."""
    server = ForkServer()
    one(server)
    return server


def one(server: ForkServer) -> None:
    """Run a whole job."""
    assert server.run(_JOB).status is Status.AC


if __name__ == "__main__":
    rate(prepare, one)
