"""Problems whose programs read standard input and write standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluators.counterexample.forms import Formed
from evaluators.counterexample.stdin.form import StdinForm
from evaluators.kinds.timed import TimedEvaluator
from evaluators.languages.table import FLAGS, TABLE
from evaluators.running.runner import Runner, StdioRunner
from evaluators.sandbox.job import Obeying
from se_agent.problem.model import Problem
from se_agent.values.solution import Solution


class StdioEvaluator(TimedEvaluator):
    """Starts the program anew for each input, in a process of its own.

    From the fork to its end all counts: compiling its text, importing, computing, what it does
    as it ends; less what an empty program takes. Before the fork Python has started and has
    loaded the modules of `zygote.COMMON` and `problem.imports`, and what these import: having
    them costs a script nothing, and every other import counts. For other languages the empty
    program is one of that language, so that starting it does not count.

    Answers are compared word by word, unless the problem has a checker: layout is free.
    """

    def runner(self, problem: Problem) -> Runner:
        """Return what starts the program."""
        return StdioRunner(problem)

    def flagged(self, solution: Solution) -> Solution | None:
        """Return a program with flags that it is compiled with; see `Flagging.flagged`."""
        table, sandbox = TABLE[self._problem.language], self._bench.sandbox
        if not (table.tried and isinstance(sandbox, Obeying)):
            return None
        flags = table.asked(solution.text) or table.tried
        (path,) = solution.files
        # The line at the end tells it from a program that only names these flags.
        text = f"{FLAGS} {' '.join(flags)}\n{solution.text}\n"
        sandbox.obey(text)
        return Solution(
            id=f"{solution.id}, compiled with {' '.join(flags)}", files={path: text}
        )

    @property
    def formed(self) -> Formed:
        """Return what makes up texts."""
        return StdinForm


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.abilities.evaluator import Challenger, Drawing, Flagging, Observing, Patient
    from se_agent.protocols import Evaluator

    _: Callable[..., Evaluator] = StdioEvaluator
    _challenger: Callable[..., Challenger] = StdioEvaluator
    _drawing: Callable[..., Drawing] = StdioEvaluator
    _observing: Callable[..., Observing] = StdioEvaluator
    _patient: Callable[..., Patient] = StdioEvaluator
    _flagging: Callable[..., Flagging] = StdioEvaluator
