"""Programs that want the right answer for less: by forged frames, or by work that is hidden."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

import pytest

from evaluators.sandbox.job import Mode
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.values.evaluation import Status
from se_agent.wire import loads
from tests.contracts.sandbox import LIMITS, call, values

AC, RE, REJECTED = Status.AC, Status.RE, Status.REJECTED

FORGE = """
import os, struct, sys
def forge(kind, first, body):
    frame = sys._getframe()
    while 'job' not in frame.f_locals: frame = frame.f_back
    nonce = frame.f_locals['job'].nonce
    os.write(3, struct.pack('<8sBQQ', nonce, kind, first, 0) + body)
"""
FORGED = {
    "end-as-wrong-answer": (RE, "no reason given", "2, 2, b'WA'"),
    "end-as-nothing-known": (RE, "no reason given", "2, 2, b'??'"),
    "end-as-not-compiled": (RE, "no reason given", "2, 2, b'CE'"),
    "unknown-kind": (REJECTED, "wrote to the answers' channel", "9, 2, b'[]'"),
    "compiled-for-long": (
        REJECTED,
        "wrote to the answers' channel",
        "6, 8, b'\\0\\0\\0\\0\\0\\0Y@'",
    ),
}

GLOBALS = """
import sys
frame = sys._getframe()
while '_changed' not in frame.f_globals: frame = frame.f_back
ours = frame.f_globals
"""


class TestForgedFrames:
    @pytest.mark.parametrize(("status", "told", "frame"), FORGED.values(), ids=FORGED)
    def test_gains_nothing_by_frames_with_the_right_nonce(
        self, jail: ForkServer, status: Status, told: str, frame: str
    ) -> None:
        outcome = jail.run(call(f"{FORGE}def f():\n forge({frame})\n while True: pass"))
        assert (outcome.status, outcome.answers) == (status, ())
        assert told in outcome.feedback

    @pytest.mark.parametrize("said", ["CE", "WA"])
    def test_a_script_gains_nothing_by_them(self, jail: ForkServer, said: str) -> None:
        """What does not compile is compared with nothing; so nobody says it who has begun."""
        text = f"{FORGE}forge(2, 2, b'{said}')\nos._exit(0)\n"
        outcome = jail.run(replace(call(text), mode=Mode.STDIO, inputs=(b"",), entry_point=""))
        assert outcome.status is RE

    def test_a_script_that_does_not_compile_says_so(self, jail: ForkServer) -> None:
        job = replace(call("1 +"), mode=Mode.STDIO, inputs=(b"",), entry_point="")
        assert jail.run(job).status is Status.CE

    def test_an_answer_that_it_forges_is_only_its_own(self, jail: ForkServer) -> None:
        """This shows, too, that `FORGE` reaches the channel."""
        program = (
            f"{FORGE}def f():\n forge(0, 1, b'5')\n forge(9, 0, b'')\n os.read(3, 1)\n"
            " forge(4, 0, b'')"
        )
        outcome = jail.run(call(program))
        assert (outcome.status, values(outcome)) == (AC, [5])


class TestCompiling:
    """What it took is the child's own word: the only one that is believed."""

    TEXT = "\n".join(f"def unused_{n}(a, b):\n    return [a * {n}, b]" for n in range(200))

    @pytest.mark.parametrize("load_apart", [False, True])
    def test_it_is_told_apart(self, jail: ForkServer, load_apart: bool) -> None:
        def ran(program: str) -> tuple[float, float]:
            job = replace(call(program), load_apart=load_apart)
            outcomes = [jail.run(job) for _ in range(3)]
            assert all(outcome.status is AC for outcome in outcomes)
            quickest = min(outcomes, key=attrgetter("cpu_seconds"))  # others use the caches
            return quickest.compiling_seconds, quickest.cpu_seconds

        short, long = ran("def f(): pass"), ran(f"{self.TEXT}\ndef f(): pass")
        assert 0 < 5 * short[0] < long[0] < long[1]
        assert long[1] - long[0] < long[0] / 2

    @pytest.mark.parametrize("load_apart", [False, True])
    def test_a_program_cannot_say_it_again(self, jail: ForkServer, load_apart: bool) -> None:
        forged = "forge(6, 8, b'\\0\\0\\0\\0\\0\\0Y@')"  # a hundred seconds
        job = replace(call(f"{FORGE}{forged}\ndef f(): pass"), load_apart=load_apart)
        outcome = jail.run(job)
        assert outcome.status is REJECTED
        assert outcome.compiling_seconds < 1

    def test_a_text_that_warms_the_memory_counts(self, jail: ForkServer) -> None:
        outcome = jail.run(call(f"{self.TEXT}\n" * 20 + "def f(): pass"))
        assert outcome.status is AC
        assert outcome.cpu_seconds - outcome.compiling_seconds > outcome.compiling_seconds

    def test_it_takes_no_room_of_the_answers(self, jail: ForkServer) -> None:
        job = call("def f(): return 'x' * 98")
        for room, status in ((100, AC), (99, RE)):
            limits = replace(job.limits, output_bytes=room)
            assert jail.run(replace(job, limits=limits)).status is status

    def test_a_program_that_cannot_be_compiled_took_nothing(self, jail: ForkServer) -> None:
        outcome = jail.run(call("def f(:"))
        assert (outcome.status, outcome.compiling_seconds) == (Status.CE, 0.0)


class TestHiddenWork:
    @pytest.mark.parametrize(
        "name",
        [
            "evaluators.sandbox.child.entry",
            "evaluators",
            "se_agent.wire",
            "se_agent.wire.decode",
        ],
    )
    def test_finds_no_module_of_ours(self, jail: ForkServer, name: str) -> None:
        program = f"import sys\ndef f(): return {name!r} in sys.modules"
        assert values(jail.run(call(program))) == [False]
        main = "import sys\ndef f(): return hasattr(sys.modules['__main__'], 'child')"
        assert values(jail.run(call(main))) == [False]

    def test_skips_no_work_by_patching_our_names(self, jail: ForkServer) -> None:
        """Neither decoding nor describing arguments, which an empty program pays for too."""
        patch = "ours['_changed'] = lambda *_: b''\nours['loads'] = lambda _: ([9, 9],)\n"
        sorts = "def f(xs):\n    xs.sort()\n    return ours['loads'](b'')\n"
        outcome = jail.run(call(GLOBALS + patch + sorts, ([3, 1],), ([2, 1],)))
        assert values(outcome) == [([9, 9],)] * 2
        assert [loads(answer.arguments) for answer in outcome.answers] == [
            ([1, 3],),
            ([1, 2],),
        ]

    def test_skips_no_decoding_of_the_first_input_whatever_it_patches(
        self, jail: ForkServer
    ) -> None:
        program = (
            f"{GLOBALS}loads = ours['loads']\n"
            "loads.__code__ = (lambda data: ([9],)).__code__\n"
            "def f(xs): return xs, loads(b'')\n"
        )
        assert values(jail.run(call(program, ([3],)))) == [([3], ([9],))]

    def test_works_in_no_time_that_does_not_count(self, jail: ForkServer) -> None:
        """What is done while arguments are described shows there, not in the call."""
        work = "sum(range(2 * 10**6)) and b''"
        late = f"ours['_changed'].__code__ = (lambda a, b, c: {work}).__code__\n"
        lazy = jail.run(call(f"{GLOBALS}{late}def f(xs): return 1", ([1],)))
        honest = jail.run(call(f"def f(xs):\n    {work}\n    return 1", ([1],)))
        assert (lazy.status, honest.status) == (AC, AC)
        assert lazy.after_seconds > 0.5 * lazy.cpu_seconds
        assert honest.after_seconds < 0.1 * honest.cpu_seconds

    def test_answers_fast_then_spins(self, jail: ForkServer) -> None:
        program = (
            "import atexit\ndef spin():\n while True: pass\n"
            "atexit.register(spin)\ndef f(): return 1"
        )
        outcome = jail.run(call(program))
        assert outcome.status is AC
        assert outcome.cpu_seconds < 0.1 * LIMITS.cpu_seconds

    def test_sees_one_input_at_a_time(self, jail: ForkServer) -> None:
        program = "import os, select\ndef f(x): return select.select([3], [], [], 0)[0]"
        outcome = jail.run(call(program, (1,), (2,), (3,)))
        assert values(outcome) == [[], [], []]

    def test_counts_work_between_answers(self, jail: ForkServer) -> None:
        lazy = "class X(dict):\n pass\ndef f(x):\n return sum(range(10**6))"
        one, two = (jail.run(call(lazy, *[(i,) for i in range(n)])) for n in (1, 4))
        assert two.cpu_seconds > 2 * one.cpu_seconds


COLLECTED = """
import gc
gc.{}able()
SEEN = [0]

def f(rows):
    SEEN.append(gc.get_stats()[0]["collections"])
    return SEEN[-1] - SEEN[-2]
"""


@pytest.mark.parametrize("apart", [False, True])
def test_who_puts_the_collector_out_of_work_is_given_inputs_as_others_are(
    jail: ForkServer, *, apart: bool
) -> None:
    """Without it, reading was so much cheaper that the same calls seemed ten times faster."""
    rows = [[[n, n]] for n in range(5000)]
    seen = [
        values(jail.run(call(COLLECTED.format(how), (rows,), (rows,), load_apart=apart)))[1]
        for how in ("en", "dis")
    ]
    assert seen == [1, 1]


HOOKED = """
import gc, sys
RAN = []

def called(phase, info):
    RAN.append(phase)

def profiled(frame, event, arg):
    RAN.append(event)

def f(rows):
    ran = RAN[:]
    gc.callbacks.append(called)
    {}
    del RAN[:]
    return ran

gc.callbacks.append(called)
{}
"""


@pytest.mark.parametrize("hook", ["pass", "sys.setprofile(profiled)", "sys.settrace(profiled)"])
def test_what_hooks_into_our_code_is_taken_away(jail: ForkServer, hook: str) -> None:
    """It would work while inputs are made, or while arguments are described."""
    program = HOOKED.format(hook, hook)
    rows = [[[n]] for n in range(2000)]
    outcome = jail.run(call(program, (rows,), (rows,), (rows,), load_apart=True))
    for ran in values(outcome):
        assert isinstance(ran, list)
        assert not {"start", "stop"} & {*ran}
        assert len(ran) < 100  # of the call itself, before it is over
