"""What programs are asked, in the jail: within their time, and without ending the whole."""

from __future__ import annotations

from contextlib import closing

from evaluators.answers.bench import Bench
from evaluators.counterexample.asking import Input, InputRunner
from evaluators.running.runner import CallRunner
from evaluators.sandbox.job import Job, JobOutcome
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.values.evaluation import Status
from tests.evaluators.counterexample.test_search import problem

ENDLESS = "def top(rows, count):\n    while True:\n        pass\n"
CRASHING = "import os\ndef top(rows, count):\n    os._exit(1) if count == 2 else None\n"
QUICK = "def top(rows, count):\n    return count\n"


class NotingServer(ForkServer):
    """Notes how many inputs each job has."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def run(self, job: Job) -> JobOutcome:
        self.sizes.append(len(job.inputs))
        return super().run(job)


def inputs(counts: range) -> list[Input]:
    found = [Input.of(([[1, 1]], count)) for count in counts]
    return [one for one in found if one is not None]


def asking_in(sandbox: ForkServer) -> InputRunner:
    own = problem(valid=False)
    return InputRunner.on(Bench.of(own, sandbox, CallRunner(own)))


def test_a_program_that_never_ends_has_one_limit_for_all_inputs_of_a_piece() -> None:
    with closing(ForkServer()) as sandbox:
        asking = asking_in(sandbox)
        before = sandbox.spent
        replies = asking.replies(ENDLESS, inputs(range(9)), cpu_seconds=0.5)
        spent = sandbox.spent - before
    assert [reply.status for reply in replies] == [Status.TLE] + [Status.REJECTED] * 8
    assert 0.5 <= spent < 0.9


def test_a_program_that_crashes_is_asked_the_rest() -> None:
    with closing(ForkServer()) as sandbox:
        asking = asking_in(sandbox)
        replies = asking.replies(CRASHING, inputs(range(5)), cpu_seconds=0.5)
    statuses = [Status.AC, Status.AC, Status.RE, Status.AC, Status.AC]
    assert [reply.status for reply in replies] == statuses


def test_one_process_answers_many_inputs() -> None:
    with closing(NotingServer()) as sandbox:
        asking = asking_in(sandbox)
        replies = asking.replies(QUICK, inputs(range(5)), cpu_seconds=0.5)
    assert [reply.status for reply in replies] == [Status.AC] * 5
    assert sandbox.sizes[-1] == 5
