"""What a program leaves changed in its interpreter is told, and what it restores is not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluators.sandbox.child.interpreter import RESTING
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.values.evaluation import Status
from tests.contracts.sandbox import call

LEAVES = {
    "import gc\ndef f(): gc.disable()": RESTING,
    "import gc\ngc.disable()\ndef f(): pass": RESTING,
    "import gc\ndef f(): gc.set_threshold(9)": RESTING,
    "import sys\ndef f(): sys.setrecursionlimit(5000)": "the recursion limit: 5000",
    "import sys\ndef f(): sys.setswitchinterval(1)": "the switch interval of threads: 1.0",
    "import sys\ndef f(): sys.set_int_max_str_digits(0)": "the most digits of an integer: 0",
    "import threading\ndef f(): threading.stack_size(1 << 20)": (
        "the stack size of threads: 1048576"
    ),
    "import decimal\ndef f(): decimal.getcontext().rounding = 'ROUND_UP'": (
        "the decimal context: (28, 'ROUND_UP'"
    ),
    "import decimal\ndef f(): decimal.getcontext().traps[decimal.DivisionByZero] = False": (
        "the decimal context: (28, 'ROUND_HALF_EVEN'"
    ),
    "import locale\ndef f(): locale.setlocale(locale.LC_ALL, 'C')": "the locale: C",
    "import warnings\ndef f(): warnings.simplefilter('ignore')": "filters of warnings: others",
    "import signal\ndef f(): signal.signal(signal.SIGINT, print)": "signal handlers: others",
    "import sys\ndef f(): sys.setprofile(lambda *_: None)": "trace or profile function: others",
    "import builtins\ndef f(): builtins.len = list.__len__": "builtins: others",
    "import builtins\ndef f(): builtins.shared = 1": "builtins: others",
    "import signal\ndef f(): signal.pthread_sigmask(0, [2])": "blocked signals: [2]",
    "import signal\ndef f(): signal.alarm(60)": "an alarm to come: True",
    "import sys\ndef f(): sys.stdout = None": "standard streams or hooks of sys: others",
    "import sys\ndef f(): sys.excepthook = print": "standard streams or hooks of sys: others",
    "import os\ndef f(): os.environ['HOME'] = '/'": "the environment: others",
    "import gc\ndef f(): gc.freeze()": "frozen objects: True",
}

RESTORES = (
    "import gc\ndef f():\n gc.disable()\n gc.enable()",
    "import gc\ndef f(): gc.collect()",
    "import decimal\ndef f():\n with decimal.localcontext() as c: c.prec = 4",
    "from decimal import Decimal\ndef f(): return Decimal(1) / Decimal(3)",  # sets a flag
    "import sys\ndef f():\n sys.setrecursionlimit(5000)\n sys.setrecursionlimit(1000)",
    "import warnings as w\ndef f():\n with w.catch_warnings(): w.simplefilter('ignore')",
    "import warnings\ndef f(): warnings.filterwarnings('ignore', message='old')",
    "import warnings\nclass Own(Warning): pass\ndef f(): warnings.simplefilter('always', Own)",
    "import configparser, fractions, random\ndef f(): random.seed(1)",
    "import signal\ndef f():\n signal.alarm(60)\n signal.alarm(0)",
    "import contextlib as c\ndef f():\n with c.redirect_stdout(None): print(1)",
    "import logging\ndef f(): logging.getLogger('a').debug('b')",
)


@pytest.mark.parametrize("program", LEAVES)
def test_what_is_left_changed_is_told(jail: ForkServer, program: str) -> None:
    outcome = jail.run(call(program, (), (), ties=True))
    assert outcome.status is Status.AC, outcome.feedback
    (told,) = outcome.left
    assert told.startswith(LEAVES[program])


@pytest.mark.parametrize("program", RESTORES)
def test_what_is_restored_is_not(jail: ForkServer, program: str) -> None:
    outcome = jail.run(call(program, (), (), ties=True))
    assert (outcome.status, outcome.left) == (Status.AC, ())


def test_the_collector_is_told_though_the_last_call_switches_it_on(jail: ForkServer) -> None:
    program = "import gc\ndef f(last): (gc.enable if last else gc.disable)()"
    assert jail.run(call(program, (False,), (True,), at_once=1)).left == (RESTING,)


def test_mask_and_folder_are_told_where_they_can_be_changed(namespace: ForkServer) -> None:
    outcome = namespace.run(call("import os\ndef f(): os.umask(0), os.chdir('/')", ties=True))
    assert outcome.left == ("the file mode mask: 0", "the working folder: /")
    assert namespace.run(call("def f(): pass", ties=True)).left == ()


@pytest.fixture(scope="module")
def numerical() -> Iterator[ForkServer]:
    pytest.importorskip("numpy")
    server = ForkServer(imports=("numpy",), patience=0.5)
    yield server
    server.close()


def test_errors_of_numpy_that_are_left_ignored_are_told(numerical: ForkServer) -> None:
    (told,) = numerical.run(
        call("import numpy\ndef f(): numpy.seterr(all='ignore')", ties=True)
    ).left
    assert told.startswith("numpy's treatment of errors: (('divide', 'ignore')")
    within = "import numpy\ndef f():\n with numpy.errstate(all='ignore'): pass"
    assert numerical.run(call(within, ties=True)).left == ()
