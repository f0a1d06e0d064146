from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from evaluators.kinds.stdio import StdioEvaluator
from se_agent.config.sections import Measure
from se_agent.errors import NotMeasurableError, ProblemError, TooSmallError
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind, Terms
from se_agent.values.evaluation import Preflight, Status
from se_agent.values.objective import Objective
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, timed_problem

# The scripted sandbox gives each layout a number, as the real one gives it a hash seed.
MOODY = program(0.005, "size * size + salt if size < 10 else LAYOUT")


def checked(problem: Problem) -> Preflight:
    return evaluator(problem, ScriptedSandbox()).preflight(problem.initial())


def test_a_good_problem_says_what_it_takes() -> None:
    found = checked(timed_problem())
    assert found.evaluation.status is Status.AC
    assert found.seconds == pytest.approx(0.05)
    assert (found.inputs, found.notes) == (1, ())


def test_all_that_it_spends_is_counted() -> None:
    problem, sandbox = timed_problem(), ScriptedSandbox()
    found = evaluator(problem, sandbox).preflight(problem.initial())
    assert found.cost_seconds == pytest.approx(sandbox.spent)
    assert found.cost_seconds > found.evaluation.cost_seconds > 0


def test_quick_programs_need_several_inputs() -> None:
    found = checked(timed_problem(0.0001))
    assert found.seconds == pytest.approx(0.001)
    assert found.inputs == 20


def test_exceptions_on_measured_inputs_are_noted() -> None:
    found = checked(
        timed_problem(
            programs={"initial": program(0.005, "10 // (size - 10)")},
            cases=(Case(name="one", input=Expr(code="(3, 1)")),),
        )
    )
    assert "ZeroDivisionError" in found.notes[0]


@pytest.mark.parametrize(("printed", "noted"), [("''", True), ("' '", True), ("0", False)])
def test_a_script_that_prints_nothing_is_noted(printed: str, noted: bool) -> None:
    problem = timed_problem(
        kind=ProblemKind.STDIO,
        programs={"initial": f"print({printed})\ndef cost(text):\n    return 0.05\n"},
        cases=(Case(name="one", input=Expr(code="'3 1'")),),
        generator="def draw(rng, size):\n    return f'{size} {rng.randrange(10**9)}'\n",
    )
    with closing(StdioEvaluator(problem, measure=Measure(), sandbox=ScriptedSandbox())) as one:
        notes = one.preflight(problem.initial()).notes
    assert any("prints nothing on" in note for note in notes) is noted


def test_exceptions_of_one_type_are_noted_once_whatever_their_words() -> None:
    found = checked(
        timed_problem(
            programs={"initial": program(0.005, "size if size % 2 else {}[size]")},
            cases=tuple(Case(name=str(n), input=Expr(code=f"({n}, 1)")) for n in (2, 4, 6, 7)),
        )
    )
    assert [note for note in found.notes if "KeyError" in note] == [
        "The initial program raises KeyError: 10: so must others."
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param(
            {"programs": {"initial": program(0.005, "size")}},
            r"fails its own test 'three' \(WA\): expected 10, got 3",
            id="wrong",
        ),
        pytest.param(
            {"limits": Limits(cpu_seconds=0.02)},
            r"fails its own test 'four' \(TLE\): expected an answer, got CPU limit",
            id="too-slow-for-its-limits",
        ),
        pytest.param(
            {"limits": Limits(cpu_seconds=0.01)},
            r"fails its own test 'three' \(TLE\): expected 10, got CPU limit",
            id="too-slow-for-a-stated-answer",
        ),
        pytest.param(
            {"programs": {"initial": "def solve(:"}},
            "initial program of 'squares' does not compile: invalid syntax",
            id="does-not-compile",
        ),
        pytest.param(
            {"entry_point": "missing"},
            r"fails its own test 'three' \(RE\): expected 10, got KeyError: 'missing'",
            id="no-entry-point",
        ),
        pytest.param(
            {"programs": {"initial": MOODY}},
            r"program is non-deterministic: for 'draw\(rng, 10\)' it answers 0, then 1",
            id="moody-program",
        ),
        pytest.param(
            {"generator": "def draw(rng, size): return (size, {}['salt'])"},
            r"input 'draw\(rng, 10\)' with seed \d+ cannot be made: KeyError: 'salt'",
            id="generator-raises",
        ),
        pytest.param(
            {"generator": "def draw(rng, size): return (size, print)"},
            r"cannot be sent to a program: .*\[1\].*builtin_function_or_method",
            id="odd-type",
        ),
        pytest.param(
            {"programs": {"initial": program(1e-7)}},
            r"too small to measure: the initial program takes 1.02 ms for 1024 of them",
            id="too-small",
        ),
        pytest.param({"ladder": Ladder()}, r"no input for the search", id="no-inputs"),
        pytest.param({"cases": ()}, r"no visible test", id="no-cases"),
    ],
)
def test_what_cannot_be_measured_is_said_in_two_lines(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ProblemError, match=message) as caught:
        checked(replace(timed_problem(), **changes))
    assert caught.value.hint
    assert "\n" not in str(caught.value) + caught.value.hint


@pytest.mark.parametrize(
    ("cost", "waited"), [(1e-6, 0.1), (0.003, 0.5)], ids=["hardly-computes", "mostly-waits"]
)
def test_a_program_that_waits_is_not_measured_by_cpu_time(cost: float, waited: float) -> None:
    waits = {"initial": f"{program(cost)}WAITING = {waited}\n"}
    told = rf"it waits: [\d.]+ [um]s of CPU time in {10 * waited:.0f}\d\d[.\d]* ms on the wall"
    with pytest.raises(NotMeasurableError, match=told) as caught:
        checked(timed_problem(programs=waits))
    assert "--set objective=wall" in caught.value.hint


def test_short_waits_are_seen_where_there_are_many() -> None:
    waits = {"initial": f"{program(1e-6)}WAITING = 0.005\n"}
    told = r"it waits: 0\.64 ms of CPU time in 321 ms on the wall"
    with pytest.raises(NotMeasurableError, match=told):
        checked(timed_problem(programs=waits))


def test_a_short_wait_on_one_input_is_told_beside_its_cpu_time() -> None:
    waits = {"initial": f"{program(1e-6)}WAITING = 0.005\n"}
    one = Ladder(fresh=False, search=(Expr(code="(10, 0)"),), final=(Expr(code="(10, 0)"),))
    told = r"takes less than 20 us for 1 of them, 5\.01 ms on the wall$"
    with pytest.raises(TooSmallError, match=told) as caught:
        checked(timed_problem(programs=waits, ladder=one))
    assert "--set objective=wall" in caught.value.hint


@pytest.mark.tier("hunts")
@pytest.mark.parametrize("seed", range(20))
def test_whose_process_is_late_half_of_the_time_does_not_wait(seed: int) -> None:
    problem = timed_problem(programs={"initial": program(1e-7)})
    busy = ScriptedSandbox(late=0.5, seed=seed)
    with pytest.raises(TooSmallError, match="too small to measure") as caught:
        evaluator(problem, busy).preflight(problem.initial())
    assert "wall" not in f"{caught.value} {caught.value.hint}"


@pytest.mark.tier("hunts")
@pytest.mark.parametrize("seed", range(20))
def test_a_program_that_does_next_to_nothing_is_small_on_a_busy_machine(seed: int) -> None:
    problem = timed_problem(programs={"initial": program(1e-7)})
    busy = ScriptedSandbox(startup=0.02, shared=0.3, noise=0.001, seed=seed)
    with pytest.raises(TooSmallError, match="too small to measure"):
        evaluator(problem, busy).preflight(problem.initial())


def test_a_program_that_computes_and_waits_is_doubted() -> None:
    waits = {"initial": f"{program(0.005)}WAITING = 0.2\n"}
    (note,) = checked(timed_problem(programs=waits)).notes
    assert "may not only compute: it waits: 50 ms of CPU time in 2" in note


def test_where_wall_time_is_measured_a_program_may_wait() -> None:
    waits = timed_problem(programs={"initial": f"{program(1e-6)}WAITING = 0.1\n"})
    objective = Objective.weighted({"wall": 1.0})
    measured = evaluator(waits, ScriptedSandbox(), objective=objective, isolation="none")
    found = measured.preflight(waits.initial())
    assert found.inputs == 1
    assert found.notes == ()


def test_a_moody_generator_is_noted() -> None:
    found = checked(timed_problem(generator="def draw(rng, size): return (size, LAYOUT)"))
    assert found.notes[0].startswith(
        "The generator gives another input for 'draw(rng, 10)' in another process: draw from "
        "its `rng` or random.Random(0)"
    )
    assert len(found.notes[0]) < 300  # `check` cuts what is longer


FEWER = "a gain that is proven there may be smaller on others."


@pytest.mark.parametrize(
    ("ladder", "notes"),
    [
        pytest.param(
            Ladder(rungs=(("draw(None, 10)",),)),
            (
                f"Only 1 distinct final input, 8 are wanted: {FEWER}",
                f"The search has final inputs, too, 1 of the 1 looked at: {FEWER}",
            ),
            id="rng-ignored",
        ),
        pytest.param(
            Ladder(rungs=(("draw(None, 5)",), ("draw(None, 10)",)), final_level=1),
            (f"Only 1 distinct final input, 8 are wanted: {FEWER}",),
            id="rng-ignored-and-larger-final-ones",
        ),
        pytest.param(
            Ladder(
                fresh=False,
                search=(Expr(code="(9, 0)"),),
                final=(Expr(code="(10, 0)"), Expr(code="(11, 0)")),
            ),
            (f"Only 2 distinct final inputs, 8 are wanted: {FEWER}",),
            id="few-listed",
        ),
        pytest.param(
            Ladder(
                fresh=False,
                search=(Expr(code="(9, 0)"),),
                final=tuple(Expr(code=f"({size}, 0)") for size in range(9, 18)),
            ),
            (f"The search has final inputs, too, 1 of the 8 looked at: {FEWER}",),
            id="listed-on-both-sides",
        ),
        pytest.param(Ladder(rungs=(("(10, rng.randrange(20))",),)), (), id="enough"),
    ],
)
def test_few_final_inputs_and_those_of_the_search_are_noted(
    ladder: Ladder, notes: tuple[str, ...]
) -> None:
    problem = timed_problem(
        generator="def draw(rng, size): return (size, 7)",
        ladder=ladder,
    )
    assert checked(problem).notes == notes


COMPARISON = Terms(
    oracle="the old function",
    others="the new one",
    final="measured",
    searched=False,
    cure="give it smaller inputs",
)


def test_where_two_are_compared_nothing_is_said_of_a_search() -> None:
    problem = timed_problem(
        programs={"old": program(0.005, "{}[size]")},
        cases=(Case(name="one", input=Expr(code="(3, 1)")),),
        generator="def draw(rng, size): return (size, 7)",
        ladder=Ladder(rungs=(("draw(None, 10)",),)),
        terms=COMPARISON,
    )
    with pytest.raises(ProblemError, match="the old function 'squares' raises KeyError: 10 on"):
        checked(problem)
    mixed = program(0.005, "{10: 1}[size]")
    found = checked(replace(problem, programs={"old": mixed}))
    assert found.notes == (
        "The old function raises KeyError: 3: so must the new one.",
        f"Only 1 distinct measured input, 8 are wanted: {FEWER}",
    )


def test_an_old_function_that_fails_a_case_has_a_hint_of_its_own() -> None:
    problem = timed_problem(limits=Limits(cpu_seconds=0.02), terms=COMPARISON)
    with pytest.raises(
        ProblemError, match=r"the old function 'squares' fails .* \(TLE\)"
    ) as err:
        checked(problem)
    assert err.value.hint == "give it smaller inputs"


def test_too_small_and_not_measurable_are_told_apart() -> None:
    with pytest.raises(TooSmallError, match="too small"):
        checked(timed_problem(1e-7))
    with pytest.raises(NotMeasurableError, match="not measurable"):
        checked(timed_problem(ladder=Ladder()))


FINAL = ("(10, 0)", "(11, 0)", "(12, 0)")


def late(last: str, seconds: float, limit: float) -> Problem:
    """Return a problem of listed inputs; only the last final one is out of the ordinary."""
    exprs = tuple(Expr(code=code) for code in (*FINAL, last))
    return timed_problem(
        seconds,
        ladder=Ladder(fresh=False, search=exprs[:1], final=exprs),
        limits=Limits(cpu_seconds=limit),
    )


@pytest.mark.parametrize(
    ("last", "message"),
    [
        pytest.param("(500, 0)", r"does not answer '\(500, 0\)' .* TLE", id="program"),
        pytest.param("(13, nobody)", r"'\(13, nobody\)' .* made: NameError", id="generator"),
    ],
)
def test_what_the_confirmation_would_stumble_over_is_told_before(
    last: str, message: str
) -> None:
    with pytest.raises(ProblemError, match=message):
        checked(late(last, 0.005, 0.5))


def test_slow_programs_are_spared_most_final_inputs() -> None:
    assert checked(late("(13, nobody)", 0.1, 5.0)).seconds == pytest.approx(1.0)


def test_a_checker_may_accept_two_answers() -> None:
    problem = timed_problem(
        programs={"initial": MOODY}, checker="def check(args, expected, output): return True"
    )
    assert checked(problem).evaluation.status is Status.AC
