"""What a program finds around it is what any other finds, at every level."""

from __future__ import annotations

import pytest

from evaluators.sandbox.isolation.ordinary import environment
from evaluators.sandbox.job import JobOutcome
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.values.evaluation import Status
from tests.contracts.sandbox import call, script, values

LEVELS = ("jail", "bare", "namespace")
PLACES = {"jail": "/", "bare": "/", "namespace": "/tmp"}  # where its jobs run

AROUND = """
import getpass, os, sys
def f():
    main = sys.modules["__main__"]
    return (dict(os.environ), getpass.getuser(), os.getcwd(), sys.argv, sys.orig_argv[1:],
            __name__, __file__, main.__file__, "site" in sys.modules, sys.gettrace(),
            sys.getprofile(), sys.flags.dev_mode, sys.stdin.isatty(), sys.stdout.isatty())
"""


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(level: str, request: pytest.FixtureRequest) -> ForkServer:
    found: ForkServer = request.getfixturevalue(level)
    return found


def test_a_function_finds_an_ordinary_process(level: str, server: ForkServer) -> None:
    place, file = PLACES[level], "main.py"
    names = ("main", file, file)
    assert values(server.run(call(AROUND))) == [
        (environment(place), "user", place, [file], [file], *names, True, None, None)
        + (False,) * 3
    ]


def test_a_script_finds_the_same(level: str, server: ForkServer) -> None:
    text = (
        "import os, sys\n"
        "print(dict(os.environ), sys.argv, sys.orig_argv[1:], __name__, __file__)"
    )
    outcome: JobOutcome = server.run(script(text))
    around = f"{environment(PLACES[level])} ['main.py'] ['main.py'] __main__ main.py\n"
    assert (outcome.status, outcome.answers[0].value.decode()) == (Status.AC, around)
