"""Whether programs in a language can be made here, and executed: tried out on an empty one."""

from __future__ import annotations

import contextlib

from evaluators.languages.compiler import Compiler
from evaluators.languages.compiling import CompilingSandbox
from evaluators.languages.hosts import HOSTS, run_time
from evaluators.languages.table import TABLE
from evaluators.sandbox.isolation.levels import NAMESPACE
from evaluators.sandbox.job import Job, Mode
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.errors import SeAgentError
from se_agent.program.language import Language


def tried_out(language: Language, isolation: str) -> str:
    """Return what keeps this machine from programs in a language, in a line, or nothing.

    Args:
        language: One whose tool is installed.
        isolation: Level of the compiler. A language with a run time is executed at the level
            that it needs, whatever is given here.
    """
    try:
        told = _executed(language) if language in HOSTS else _compiled(language, isolation)
    except SeAgentError as err:
        told = str(err)
    return next(iter(told.splitlines()), "")


def _compiled(language: Language, isolation: str) -> str:
    made = Compiler(language, isolation).make(TABLE[language].empty)
    return "" if made.program else made.feedback


def _executed(language: Language) -> str:
    level = NAMESPACE.name
    job = Job(program=TABLE[language].empty, inputs=(b"",), mode=Mode.STDIO)
    server = ForkServer(level, run_time=run_time(language))
    with contextlib.closing(CompilingSandbox(server, language, level)) as sandbox:
        return sandbox.run(job).feedback
