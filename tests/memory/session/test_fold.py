"""Session memory keeps to what a tier of the memory stack is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.events import RolledBack, Told
from se_agent.config.sections import MemorySection
from se_agent.config.session_section import SessionSection
from se_agent.events import Event, Learned, dumps, loads
from se_agent.memory.context.estimate import estimate
from se_agent.memory.context.tokens import ESTIMATE
from se_agent.memory.session.entries import add_decision, consolidate_session_memory
from se_agent.memory.session.fold import SessionTier
from se_agent.memory.stack import MemoryStack
from se_agent.values.closed_step import ClosedStep
from se_agent.values.lesson import GlobalStatus
from se_agent.values.session import NOTHING_AGREED, Constraint, SessionUpdates
from tests.contracts.memory_tier import Happening, MemoryTierContract, a_slot, folded
from tests.memory.session.draws import updates

SHOWN = SessionSection(shown=True)
FOUND = SessionUpdates(
    api_constraints=(
        Constraint(
            constraint="answers [] for []", source="evaluator", confidence="high", verified=True
        ),
    )
)


def learned(found: SessionUpdates | None = FOUND) -> Learned:
    return Learned(slot=0, best="initial", session_updates=found)


class TestSessionTier(MemoryTierContract):
    @pytest.fixture
    def tier(self) -> SessionTier:
        return SessionTier(config=SHOWN)

    @pytest.fixture(scope="class")
    @classmethod
    def told(cls, tmp_path_factory: pytest.TempPathFactory) -> tuple[Happening, ...]:
        said = Told(slot=0, direction="keep the order", memory_version=0, constraint=True)
        return tuple((event, None) for event in (learned(), said, learned(None)))

    def test_what_a_person_says_is_sure_and_dated(self, tier: SessionTier) -> None:
        closed = ClosedStep(None, GlobalStatus(current_generation=4))
        said = Told(slot=0, direction="keep the order", memory_version=0, constraint=True)
        (one,) = tier.apply(learned(None), closed).apply(said).memory.api_constraints
        assert (one.source, one.confidence, one.verified, one.iteration) == (
            "user",
            "high",
            True,
            4,
        )

    def test_a_direction_is_none_of_its_business(self, tier: SessionTier) -> None:
        assert tier.apply(Told(slot=0, direction="use a heap", memory_version=1)) is tier


def test_a_rollback_restores_a_version_and_one_of_directions_leaves_it_alone() -> None:
    tier = SessionTier(config=SHOWN).apply(learned())
    back = RolledBack(slot=1, version=1, directions=(), memory_version=2)
    assert tier.apply(back) is tier
    to = back.model_copy(update={"session": NOTHING_AGREED})
    assert tier.apply(to).memory == NOTHING_AGREED


def test_it_says_nothing_and_takes_no_room_where_prompts_do_not_show_it() -> None:
    tier = SessionTier().apply(learned())
    assert not tier.memory.empty
    assert (tier.empty, tier.token_limit, tier.context(a_slot(), "plan")) == (True, 0, "")
    assert tier.advice().session == tier.memory


@pytest.mark.row("HS-09")
def test_the_next_role_is_shown_what_was_agreed_on() -> None:
    tier = SessionTier(config=SHOWN).apply(learned())
    text = tier.context(a_slot(), "plan")
    assert "- [HIGH] **binding** answers [] for []\n" in text
    assert tier.context(a_slot(), "extract") == ""


@pytest.mark.tier("runs")
@given(st.lists(updates(8), max_size=5), st.sampled_from(["plan", "repair", "supervisor"]))
@pytest.mark.row("LF-71", "LF-91")
def test_it_is_in_order_after_every_event_and_within_its_limits(
    found: Sequence[SessionUpdates], role: str
) -> None:
    tier = SessionTier(config=SessionSection(shown=True, token_limit=200))
    for one in found:
        tier = tier.apply(learned(one))
        assert consolidate_session_memory(tier.memory) == tier.memory
        text = tier.context(a_slot(), role)
        assert sum(map(ESTIMATE.count, text.splitlines(keepends=True))) <= 200


def test_a_switch_keeps_a_category_out() -> None:
    tier = SessionTier(config=SessionSection(constraints=False)).apply(learned())
    assert tier.memory == NOTHING_AGREED


def test_limits_are_those_of_the_run_file() -> None:
    tier = SessionTier(config=SessionSection(decisions_limit=2))
    for number in range(5):
        state = add_decision(None, f"{number}", "", "plan", number)
        tier = tier.apply(learned(SessionUpdates(decisions=state.decisions)))
    assert [one.decision for one in tier.memory.decisions] == ["3", "4"]


@pytest.mark.tier("runs")
@given(updates(8))
def test_updates_are_written_as_what_they_say_and_read_again(found: SessionUpdates) -> None:
    event: Event = learned(found)
    assert loads(dumps(event)) == event
    assert '"known_fixes"' not in dumps(learned())


def test_it_stands_second_in_the_stack() -> None:
    config = MemorySection(session=SHOWN)
    stack = MemoryStack.of(config, counter=ESTIMATE).apply(learned())
    assert [tier.name for tier in stack.tiers] == ["local", "session", "messages"]
    assert stack.token_limit == config.local.token_limit + SHOWN.token_limit
    (said,) = stack.context(a_slot(), "plan").sections
    assert said.source == "session"
    assert said.tokens == sum(map(estimate, said.text.splitlines(keepends=True)))
    assert stack.advice().session == stack.session != NOTHING_AGREED
    off = MemoryStack.of(MemorySection(session=SessionSection(enabled=False)), counter=ESTIMATE)
    assert [tier.name for tier in off.apply(learned()).tiers] == ["local", "messages"]


def test_a_fold_of_the_tier_is_a_fold_of_its_events() -> None:
    told = [(learned(), None)] * 3
    assert folded(SessionTier(config=SHOWN), told) == folded(
        SessionTier(config=SHOWN), told[:1]
    )


@pytest.mark.row("LF-95")
def test_replies_are_asked_for_tags_where_it_is_shown_and_tags_are_read() -> None:
    asked = SessionTier(config=SHOWN).footer("repair")
    assert '<known_fix error="the message">' in asked
    assert SessionTier(config=SHOWN).footer("extract") == ""
    assert SessionTier().footer("repair") == ""
    assert SessionTier(config=SessionSection(shown=True, tags=False)).footer("repair") == ""
    stack = MemoryStack.of(MemorySection(session=SHOWN), counter=ESTIMATE)
    assert stack.context(a_slot(), "repair").footer == asked
