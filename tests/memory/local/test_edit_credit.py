"""What each change is worth: gains add up, blame is divided, and what is right is cleared."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.engine.search.edit_risk import Risks
from se_agent.memory.local.edit_credit import KEPT, TRACED, UNKNOWN, Credit
from se_agent.values.evaluation import Branch, Evaluation, Status, Verdict
from se_agent.values.memory_context import Believed
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal, Slot, Step
from tests.memory.examples import memory

A, B, C, D = (Edit(rule=name, function="f", node=name) for name in "abcd")
SAVES = {A: 0.4, B: 0.2, C: 0.0, D: -0.3}
ERROR = 0.002


def program(name: str, edits: Sequence[Edit], base: str = "Gen0_Sol_0") -> Solution:
    return Solution(
        id=name,
        files={"main.py": name},
        parents=(),
        operator="polish",
        base="" if name == base else base,
        edits=tuple(edits),
    )


def step(
    made: Sequence[Edit],
    parent: Sequence[Edit] = (),
    *,
    child: str = "Gen1_Sol_1",
    saves: Mapping[Edit, float] = SAVES,
    wrong: Collection[Edit] = (),
    withdrawn: tuple[str, ...] = (),
) -> Step:
    """A closed step in a world where what changes save adds up."""
    slot = Slot(
        number=1, generation=1, child=child, parents=(program("p", parent),), operator="polish"
    )
    left = 1 - sum(saves[edit] for edit in made)
    effect = math.log((1 - sum(saves[edit] for edit in parent)) / left)
    right = not set(made) & set(wrong)
    verdict = Verdict(
        status=Status.AC if right else Status.WA,
        perf_diff=effect,
        effect=effect if right else -math.inf,
        interval=(effect - 3.4 * ERROR, effect + 3.4 * ERROR),
        significant=right and effect > 3.4 * ERROR,
        branch=Branch.SUCCESS if right and effect > 0 else Branch.FAILURE,
    )
    proposal = Proposal(solution=program(child, made), direction="", expected_effect="")
    return Step(
        slot=slot,
        proposal=proposal,
        verdict=verdict,
        effect=-math.log(left) if right else None,
        withdrawn=withdrawn,
    )


def after(*steps: Step) -> Credit:
    credit = Credit()
    for one in steps:
        credit = credit.after(one)
    return credit


def test_of_a_change_that_was_made_alone_the_gain_is_known() -> None:
    gain, error, blame, measured = after(step([A])).beliefs[A]
    assert measured
    assert gain == pytest.approx(0.4, abs=0.01)
    assert error < 0.01
    assert blame == 0


def test_a_union_says_what_its_changes_bring_together() -> None:
    believed = after(step([A, B])).beliefs
    assert believed[A].gain + believed[B].gain == pytest.approx(0.6, abs=0.01)
    assert believed[A].error > 0.05
    told = after(step([A, B]), step([B])).beliefs
    assert told[A].gain == pytest.approx(0.4, abs=0.02)
    assert told[B].gain == pytest.approx(0.2, abs=0.02)
    assert told[A].error < 0.02


def test_a_change_saves_the_same_share_whatever_else_was_made() -> None:
    late = after(step([A, B], [A])).beliefs[B]
    assert late.gain == pytest.approx(0.2, abs=0.01)


def test_what_is_left_out_is_told_from_what_is_left() -> None:
    assert after(step([A], [A, B])).beliefs[B].gain == pytest.approx(0.2, abs=0.01)


def test_a_wrong_union_accuses_all_whom_nothing_has_cleared() -> None:
    blames = [known.blame for known in after(step([A, B, C], wrong=[C])).beliefs.values()]
    assert blames == pytest.approx([1 / 3] * 3)
    believed = after(step([A, B, C], wrong=[C]), step([A]), step([B])).beliefs
    assert [believed[edit].blame for edit in (A, B, C)] == [0, 0, 1]


def test_who_is_in_two_wrong_unions_is_blamed_more() -> None:
    believed = after(step([A, C], wrong=[C]), step([B, C], wrong=[C])).beliefs
    assert believed[C].blame > believed[A].blame == believed[B].blame == 0.5


def test_what_is_surely_wrong_explains_all_wrong_programs_that_have_it() -> None:
    """Nothing is known of what was tried beside it alone; a slow one has its own harm."""
    known = after(step([A, C], wrong=[C]), step([B, C], wrong=[C]), step([C], wrong=[C]))
    assert [known.beliefs[edit].blame for edit in (A, B, C)] == [UNKNOWN, UNKNOWN, 1]
    again = known.after(step([A, B, D], wrong=[D])).beliefs
    assert again[A].blame == again[B].blame == pytest.approx(1 / 3)
    slower = {A: -0.1, B: -0.3}
    both = after(step([A], saves=slower), step([A, B], saves=slower)).beliefs
    assert (both[A].blame, both[B].blame) == (1, 0.5)


G, INNER = Edit(rule="g", function="g", node="g"), Edit(rule="h", function="g.inner", node="h")
TOP = Edit(rule="t", function="", node="t")
ELSEWHERE = {**SAVES, G: 0.1, INNER: 0.1, TOP: 0.1}


def raised(made: Sequence[Edit], *functions: str) -> Step:
    """A step whose program raises in these functions, the innermost one last."""
    frames = [f"  main.py:{line} in {name}: x" for line, name in enumerate(functions, 1)]
    feedback = "\n".join(["TypeError: unhashable type: 'list'", *frames])
    evaluation = Evaluation(status=Status.RE, feedback=feedback)
    closed = step(made, saves=ELSEWHERE, wrong=made)
    assert closed.verdict is not None
    verdict = replace(closed.verdict, status=Status.RE)
    return replace(closed, evaluation=evaluation, verdict=verdict)


def test_who_changed_the_function_that_raised_is_accused() -> None:
    """The others of that program are as if it had not been tried."""
    for edit, frames in (
        (G, ("f", "g")),
        (INNER, ("g", "g.inner")),
        (G, ("f", "g", "h")),
        (G, ("f", "g.<lambda>")),
        (TOP, ("<module>", "h")),
    ):
        blames = {
            known: said.blame
            for known, said in after(raised([A, B, edit], *frames)).beliefs.items()
        }
        assert blames == pytest.approx({A: UNKNOWN, B: UNKNOWN, edit: TRACED})
        assert Risks({edit: Believed(0.0, 0.1, blames[edit])}).is_open(edit) is False
    both = after(raised([A, G, INNER], "f", "g")).beliefs
    assert both[G].blame == both[INNER].blame == pytest.approx(TRACED / 2)


def test_a_function_of_the_same_name_elsewhere_is_another() -> None:
    known = after(raised([A, G], "f", "other.g")).beliefs
    assert (known[A].blame, known[G].blame) == (TRACED, UNKNOWN)


def test_where_no_suspect_changed_what_raised_any_may_be_wrong() -> None:
    assert after(raised([A, B], "h")).beliefs[A].blame == 0.5
    cleared = after(raised([A, G], "f", "g"), step([G], saves=ELSEWHERE)).beliefs
    assert (cleared[A].blame, cleared[G].blame) == (1, 0)


def test_what_is_slower_in_anothers_place_did_no_harm_itself() -> None:
    believed = after(step([A]), step([B], [A])).beliefs
    assert believed[B].blame == 0
    assert believed[B].gain == pytest.approx(0.2, abs=0.05)


def test_a_right_program_clears_all_that_it_has_whatever_it_was_compared_with() -> None:
    less = step([B, C], [A, B, C], child="Gen1_Sol_2")
    known = after(step([A, B, C], child="Gen1_Sol_1"), less)
    gone = known.after(step([D], child="Gen1_Sol_3", withdrawn=("Gen1_Sol_1",))).beliefs
    assert [gone[edit].blame for edit in (A, B, C)] == [1, 0, 0]


def test_of_what_was_in_wrong_programs_alone_the_gain_is_a_guess() -> None:
    believed = after(step([C], wrong=[C]), step([A, C], wrong=[C]), step([B])).beliefs
    assert [believed[edit].measured for edit in (A, B, C)] == [False, True, False]


def test_a_wrong_program_in_which_nothing_is_new_says_nothing() -> None:
    assert after(step([A], [A, B], wrong=[A])).equations == ()


def test_a_right_program_that_is_slower_accuses_who_was_never_without_that_harm() -> None:
    believed = after(step([A]), step([C, D])).beliefs
    assert believed[A].blame == 0
    assert believed[C].blame == believed[D].blame == 0.5
    cleared = after(step([C, D]), step([A, C])).beliefs
    assert (cleared[C].blame, cleared[D].blame) == (0, 1)


def test_a_gain_within_noise_accuses_nobody() -> None:
    assert after(step([C])).beliefs[C].blame == 0


def test_a_program_that_turns_out_to_be_wrong_clears_nobody_any_more() -> None:
    known = after(step([A, B], child="Gen1_Sol_1"))
    gone = known.after(step([C], child="Gen1_Sol_2", withdrawn=("Gen1_Sol_1",))).beliefs
    assert known.beliefs[A].blame == 0
    assert gone[A].blame == gone[B].blame == 0.5
    assert gone[C].blame == 0


def test_what_says_nothing_of_changes_is_not_kept() -> None:
    plain = step([A])
    unjudged = Step(slot=plain.slot, proposal=plain.proposal)
    nothing = Step(slot=plain.slot)
    assert after(unjudged, nothing, step([A], [A])) == Credit()


def test_what_a_model_wrote_anew_says_nothing_of_what_it_was_compared_with() -> None:
    anew = step([], [A, B])
    assert anew.proposal is not None
    written = replace(anew.proposal.solution, id="Gen1_Sol_9", base="", edits=())
    told = replace(anew, proposal=replace(anew.proposal, solution=written))
    assert after(told) == Credit()


def test_the_latest_comparisons_are_kept_and_the_last_of_each_change() -> None:
    steps = [step([A], child=f"Gen1_Sol_{number}") for number in range(KEPT + 9)]
    credit = after(step([D]), step([D, C], wrong=[C]), *steps)
    assert len(credit.equations) == KEPT
    assert credit.equations[-1].program == f"Gen1_Sol_{KEPT + 8}"
    assert credit.beliefs[D].gain < 0
    assert credit.beliefs[C].blame == 1


def test_a_ratio_beyond_all_numbers_is_one_all_the_same() -> None:
    plain = step([A])
    assert plain.verdict is not None
    for effect in (700.0, -700.0):
        verdict = replace(plain.verdict, effect=effect, interval=(effect, effect))
        known = after(replace(plain, verdict=verdict, effect=-600.0)).beliefs[A]
        assert math.isfinite(known.gain)
        assert math.isfinite(known.error)


def test_local_memory_takes_it_in_beside_its_lessons() -> None:
    state = memory()
    told = state.with_credit(step([A]))
    assert told.credit.beliefs[A].gain > 0.3
    assert (told.version, told.state()) == (state.version, state.state())
    assert state.with_credit(Step(slot=step([A]).slot)) is state
    assert told.rolled_back(()).credit == told.credit


EDITS = [Edit(rule=f"r{n}", function="f", node=str(n)) for n in range(6)]


@given(
    saves=st.lists(st.floats(-0.1, 0.15), min_size=6, max_size=6),
    unions=st.lists(
        st.sets(st.sampled_from(EDITS), min_size=1),
        min_size=1,
        max_size=12,
        unique_by=frozenset,
    ),
    wrong=st.sets(st.sampled_from(EDITS), max_size=2),
)
@settings(max_examples=60)
def test_blame_is_a_likelihood_and_never_falls_on_who_is_in_a_right_program(
    saves: list[float], unions: list[set[Edit]], wrong: set[Edit]
) -> None:
    world = dict(zip(EDITS, saves, strict=True))
    steps = [step(sorted(u, key=str), saves=world, wrong=wrong) for u in unions]
    believed = after(*steps).beliefs
    right = [u for u in unions if not u & wrong]
    assert set(believed) == set().union(*unions)
    for edit, known in believed.items():
        assert 0 <= known.blame <= 1
        assert known.error >= 0
        if any(edit in u and 1 - sum(world[e] for e in u) < 1 for u in right):
            assert known.blame == 0
    for union in unions:
        if union & wrong:
            assert sum(believed[edit].blame for edit in union) >= 1 - 1e-9


@given(saves=st.lists(st.floats(-0.1, 0.15), min_size=6, max_size=6), data=st.data())
@settings(max_examples=40)
def test_where_each_was_made_alone_the_gains_are_those_of_the_world(
    saves: list[float], data: st.DataObject
) -> None:
    world = dict(zip(EDITS, saves, strict=True))
    order = data.draw(st.permutations(EDITS))
    chain = [step(order[: n + 1], order[:n], saves=world) for n in range(6)]
    believed = after(*chain).beliefs
    for edit in EDITS:
        assert believed[edit].gain == pytest.approx(world[edit], abs=0.02)
