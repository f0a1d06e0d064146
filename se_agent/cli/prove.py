"""`prove`: the neutral referee between two functions. No search, no run folder."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.screen import Screen

if TYPE_CHECKING:
    from se_agent.target.function import Target
    from se_agent.target.referee import Proof

InputsOption = Annotated[
    str,
    typer.Option(
        metavar="MODULE:GENERATOR",
        help="Makes inputs: generate(rng, size), generate(rng), or an iterable of tuples.",
    ),
]
ExampleOption = Annotated[
    list[str] | None,
    typer.Option(metavar="CALL", help='One input, such as "f(1, [2, 3])"; may be repeated.'),
]
PythonOption = Annotated[
    str, typer.Option(metavar="VENV", help="Virtual environment with packages that are needed.")
]
IsolationOption = Annotated[
    str, typer.Option(metavar="LEVEL", help="`jail`, or `none` where the kernel has none.")
]


def prove(
    old: Annotated[str, typer.Argument(metavar="OLD.py:FUNCTION", help="The reference.")],
    new: Annotated[str, typer.Argument(metavar="NEW.py:FUNCTION", help="The other one.")],
    inputs: InputsOption = "",
    example: ExampleOption = None,
    python: PythonOption = "",
    isolation: IsolationOption = "jail",
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a block for a pull request.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Compare two functions: same results, faster, by how much, how sure?

    Exit codes: 0 faster, and proven; 1 not proven; 2 you must act; 4 different results.
    """
    from se_agent.cli import verdict
    from se_agent.target.function import find

    screen = Screen(as_json=as_json or markdown)
    targets = find(old), find(new)
    proof = _proof(*targets, inputs, example or [], python, isolation, screen)
    if markdown:
        typer.echo(verdict.markdown(proof, old, new))
    else:
        for line in verdict.lines(proof, old, new):
            screen.say(line)
    if as_json:
        screen.answer(verdict.row(proof, old, new))
    raise typer.Exit(verdict.EXIT[proof.outcome])


def _proof(
    old: Target,
    new: Target,
    inputs: str,
    examples: list[str],
    python: str,
    isolation: str,
    screen: Screen,
) -> Proof:
    from evaluators.function import FunctionEvaluator
    from se_agent.cli.jail import ForkedJail
    from se_agent.config import Judge, Measure
    from se_agent.target.inputs import source
    from se_agent.target.plan import plan
    from se_agent.target.referee import Referee
    from se_agent.target.site import access
    from se_agent.target.survey import Survey
    from se_agent.target.task import to_prove

    given = source(old, inputs, examples)
    reach = access([old.module, new.module, *given.modules], python)
    with closing(ForkedJail(reach, isolation)) as jail:
        survey = Survey(jail, old, given)
        found = plan(survey, split=False)
    problem = to_prove(old, new, survey, found, reach)
    measure = Measure()
    evaluator = FunctionEvaluator(problem, measure=measure, isolation=isolation)
    with closing(evaluator):
        referee = Referee(evaluator, Judge(), measure, screen.say)
        old_solution, new_solution = problem.initial("old"), problem.initial("new")
        return referee.compare(
            old_solution, new_solution, cases=len(problem.cases), notes=found.notes
        )
