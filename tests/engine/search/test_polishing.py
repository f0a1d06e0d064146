"""Rules on what a model wrote: it is watched, and what rules offer for it starts from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from operators.editing.genome import replayed
from operators.rewrite.set_membership import SetMembership
from se_agent.engine.run.start import start
from se_agent.engine.state.population import Population
from se_agent.events import Learned, Observed, Proposed
from se_agent.values.brief import Brief
from se_agent.values.observation import HotLine, Observation
from se_agent.values.solution import Solution
from se_agent.values.step import Slot
from se_agent.values.view import Member, View
from tests.engine.models.test_briefing import Adding, Turns
from tests.engine.runs import events_of
from tests.engine.step.test_observing import Reader, Watcher
from tests.fakes import number_problem, number_run

TEXT = """\
def f(xs, ys):
    found = []
    for x in xs:
        if x in ys:
            found.append(x)
    return found
"""
WRITTEN = Solution(
    id="Gen2_Sol_1",
    files={"main.py": TEXT},
    parents=("Gen0_Sol_0",),
    operator="mutation",
    strategy="hashing",
)


class Polishing(Turns):
    """A model and a rule in turn, each on the best program so far."""

    def ask(self, view: View) -> Slot | None:
        """Return a slot of the model, then one of the rule."""
        name = Reader.name if view.slot % 2 else Adding.name
        return view.fill(view.best.solution, operator=name)


def test_a_best_that_a_model_wrote_is_watched_before_a_rule_works_on_it(tmp_path: Path) -> None:
    result = start(
        number_run(
            tmp_path,
            operators=[Adding.name, Reader.name],
            policy=f"{__name__}:Polishing",
            generation_size=1,
            budget={"evaluations": 8},
            models={
                "main": {
                    "name": "saying",
                    "provider": "tests.engine.models.test_briefing:Saying",
                }
            },
        ),
        problem=number_problem(timed=True),
        evaluators=lambda p, c: Watcher(),
    )
    events = events_of(result)
    made = {
        e.proposal.solution.id: e.proposal
        for e in events
        if isinstance(e, Proposed) and e.proposal is not None
    }
    seen = {
        e.solution: e.observation.calls["x"][0].result
        for e in events
        if isinstance(e, Observed)
    }
    bests = {e.best for e in events if isinstance(e, Learned)}
    written = {
        name for name in bests & made.keys() if made[name].solution.operator == Adding.name
    }
    assert written
    assert written <= seen.keys()
    polished = [p for p in made.values() if p.solution.parents[0] in written]
    polished = [p for p in polished if p.solution.operator == Reader.name]
    assert polished
    for proposal in polished:
        assert proposal.direction == f"seen: [{seen[proposal.solution.parents[0]]}]"


def brief(observed: Observation) -> Brief:
    slot = Slot(number=9, generation=3, child="Gen3_Sol_0", parents=(WRITTEN,), operator="any")
    return Brief(problem="Be fast.", slot=slot, observed=observed)


def test_what_a_rule_offers_for_it_starts_from_it_and_follows_its_heat() -> None:
    rule = SetMembership()
    hot = HotLine(function="f", line=4, text="if x in ys:", share=0.8, hits=100)
    seen = Observation(hot=(hot,), functions={"f": 1.0})
    (offer, *_) = rule.offers(brief(seen))
    assert offer.heat is not None
    assert offer.heat > 0.4
    assert rule.offers(brief(Observation()))[0].content == offer.content
    found = rule.propose(brief(seen))
    assert found is not None
    child = found.solution
    assert (child.base, child.content) == (WRITTEN.id, offer.content)
    assert child.edits == (offer.edit,)
    again = replayed(WRITTEN.files, child.edits)
    assert (again.files, again.dropped) == (child.files, ())


def test_a_program_of_a_model_stays_as_long_as_edits_start_from_it() -> None:
    population = Population.of(replace(WRITTEN, id="Gen0_Sol_0", parents=()))
    population.add(Member(solution=WRITTEN, effect=-1.0))
    for number in range(100):
        child = replace(WRITTEN, id=f"Gen3_Sol_{number}", base=WRITTEN.id)
        population.add(Member(solution=child, effect=float(number)))
    population.forget(())
    assert WRITTEN.id in population.members
