"""What the jail leaves to honest programs: their own limits, memory and session.

Not here: what it keeps from others (`tests.hostile`).
"""

from __future__ import annotations

import pytest

from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.values.evaluation import Status
from tests.contracts.sandbox import call, values


@pytest.mark.parametrize(
    ("answer", "program"),
    [
        pytest.param(
            64, "import resource\ndef f(): return resource.getrlimit(7)[0]", id="own-limits"
        ),
        pytest.param(
            None,
            "import mmap\ndef f(): return mmap.mmap(-1, 1 << 22).madvise(mmap.MADV_HUGEPAGE)",
            id="advice-on-own-memory",
        ),
        pytest.param(
            True, "import os\ndef f(): return os.getsid(0) == os.getpid()", id="own-session"
        ),
        pytest.param(10**30_000, "def f(): return 10**30_000", id="large-numbers"),
    ],
)
def test_is_left_to_honest_programs(jail: ForkServer, answer: object, program: str) -> None:
    outcome = jail.run(call(program))
    assert (outcome.status, values(outcome)) == (Status.AC, [answer])
