"""The stack keeps limits and order, whatever its tiers say."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.events import Told
from se_agent.config.sections import MemorySection
from se_agent.errors import ConfigError, FoldError, UnknownPluginError
from se_agent.events import Event
from se_agent.memory import MemoryStack, TokenCounter, render_markdown
from se_agent.memory.context.shortening import limited_text
from se_agent.memory.local.tier import LocalTier
from se_agent.memory.stack import LEAST, MOST
from se_agent.values.closed_step import ClosedStep
from se_agent.values.memory_context import Advice, Believed
from se_agent.values.solution import Edit
from se_agent.values.step import Slot
from tests.contracts.memory_tier import a_slot
from tests.memory.examples import COUNTER, TEXTS, memory

TOLD = Told(slot=0, direction="use a heap", memory_version=1)
A, B = (Edit(rule=name, function="f", node="0") for name in "ab")


@dataclass(frozen=True)
class Saying:
    """A tier that says and advises what it is made with."""

    text: str = "## Notes\n- one\n"
    name: str = "notes"
    token_limit: int = 100
    given: Advice = field(default_factory=Advice)
    empty: bool = False
    heard: tuple[Event, ...] = ()

    def apply(self, event: Event, closed: ClosedStep | None = None) -> Saying:
        return replace(self, heard=(*self.heard, event))

    def context(self, slot: Slot, role: str) -> str:
        return self.text.replace("ROLE", role)

    def advice(self) -> Advice:
        return self.given


def notes(counter: TokenCounter) -> Saying:
    return Saying()


def half(counter: TokenCounter) -> object:
    return object()


class Failing(Saying):
    """A tier that fails, whatever it is asked."""

    def apply(self, event: Event, closed: ClosedStep | None = None) -> Failing:
        raise KeyError(event.kind)

    def context(self, slot: Slot, role: str) -> str:
        raise ZeroDivisionError

    def advice(self) -> Advice:
        raise AttributeError


class Forgetful(Saying):
    """A tier that returns nothing, whatever it is asked."""

    def apply(self, event: Event, closed: ClosedStep | None = None) -> Forgetful:
        return None  # type: ignore[return-value]

    def context(self, slot: Slot, role: str) -> str:
        return 7  # type: ignore[return-value]

    def advice(self) -> Advice:
        return None  # type: ignore[return-value]


def stack(*further: Saying, adds_up: bool = True) -> MemoryStack:
    return MemoryStack(first=LocalTier(memory=memory(), adds_up=adds_up), further=further)


def test_without_further_tiers_it_says_what_local_memory_says() -> None:
    alone = stack().apply(TOLD)
    (section,) = alone.context(a_slot(), "mutate").sections
    assert section.text == alone.context(a_slot(), "").text == render_markdown(alone.local)
    assert (section.source, section.tokens) == ("local", alone.local.tokens)
    assert stack().context(a_slot(), "").text == ""


def test_tiers_stand_in_their_order_with_an_empty_line_between() -> None:
    both = stack(Saying(text="for ROLE"), Saying(name="more", text="")).apply(TOLD)
    context = both.context(a_slot(), "plan")
    assert [section.source for section in context.sections] == ["local", "notes"]
    assert context.text == f"{render_markdown(both.local)}\nfor plan\n"
    assert context.tokens == both.local.tokens + COUNTER.count("for plan\n")


def test_a_stack_is_a_value_and_stays_the_same_where_nothing_changed() -> None:
    first = stack(Saying())
    after = first.apply(TOLD)
    assert first.further == (Saying(),)
    assert after.further == (Saying(heard=(TOLD,)),)
    assert (first.local.version, after.local.version) == (0, 1)
    assert stack().empty
    assert not first.empty


@given(TEXTS, st.integers(-1, 60))
def test_no_text_passes_its_limit(text: str, limit: int) -> None:
    said, tokens = limited_text(text, limit, COUNTER)
    lines = [f"{line}\n" for line in said.split("\n")[:-1]]  # a lone `\r` ends none
    assert sum(map(COUNTER.count, lines)) <= max(0, limit)
    assert tokens <= max(0, limit)
    assert f"{text}\n".startswith(said)


def test_the_last_lines_are_cut() -> None:
    text = "## Notes\n- one\n- two words more\n"
    room = COUNTER.count("## Notes\n") + COUNTER.count("- one\n")
    assert limited_text(text, room, COUNTER) == ("## Notes\n- one\n", room)
    assert limited_text(text, 0, COUNTER) == ("", 0)
    context = stack(Saying(text=text, token_limit=room)).context(a_slot(), "")
    assert context.text == "## Notes\n- one\n"


@pytest.mark.parametrize(("factor", "found"), [(2.0, 2.0), (0.0, LEAST), (99.0, MOST)])
def test_advice_of_a_tier_is_no_ban_and_no_order(factor: float, found: float) -> None:
    advice = stack(Saying(given=Advice(directions={"a@f": factor}))).advice()
    assert advice.directions == {"a@f": found}


@pytest.mark.parametrize("number", [math.nan, math.inf, -0.5])
def test_a_number_that_is_no_factor_and_no_evidence_is_an_error_of_its_tier(
    number: float,
) -> None:
    for advice, told in (
        (Advice(directions={"a@f": number}), f"the factor of 'a@f' is {number}"),
        (Advice(prior={"swap": (1.0, number)}), f"the evidence of 'swap' is {number}"),
    ):
        with pytest.raises(FoldError, match=r"^memory tier 'notes' failed: ") as caught:
            stack(Saying(given=advice)).advice()
        assert told in str(caught.value)
        assert caught.value.hint.startswith("mend the package")


def test_factors_multiply_and_evidence_adds_up() -> None:
    given = Advice(directions={"a@f": 3.0}, prior={"a": (1.0, 99.0)})
    advice = stack(Saying(given=given), Saying(name="more", given=given)).advice()
    assert advice.directions == {"a@f": MOST}
    assert advice.prior == {"a": (2.0, 8.0)}


def test_the_first_tier_that_believes_something_is_believed() -> None:
    def believing(**gains: float) -> Callable[[], Mapping[Edit, Believed]]:
        edits = {"a": A, "b": B}
        return lambda: {edits[n]: Believed(gain, 0.1, 0.0) for n, gain in gains.items()}

    one, other = (
        Saying(given=Advice(believed=believing(a=1.0))),
        Saying(name="more", given=Advice(believed=believing(a=2.0, b=3.0))),
    )
    assert stack(one, other, adds_up=False).advice().believed is None
    believed = stack(one, other).advice().believed
    assert believed is not None
    assert {edit.rule: known.gain for edit, known in believed().items()} == {"a": 1.0, "b": 3.0}


@pytest.mark.parametrize("tier", [Failing(), Forgetful()])
@pytest.mark.parametrize(
    "use",
    [
        lambda memory: memory.apply(TOLD),
        lambda memory: memory.context(a_slot(), "mutate"),
        lambda memory: memory.advice(),
    ],
)
def test_who_fails_is_named(tier: Saying, use: Callable[[MemoryStack], object]) -> None:
    with pytest.raises(FoldError, match="memory tier 'notes' failed: ") as caught:
        use(stack(tier))
    assert caught.value.hint.startswith("mend the package")


class TestOf:
    def test_tiers_are_found_by_name_and_made_from_the_counter(self) -> None:
        config = MemorySection(tiers=(f"{__name__}:notes",))
        made = MemoryStack.of(config, counter=COUNTER)
        assert [tier.name for tier in made.tiers] == [
            "local",
            "session",
            "notes",
            "messages",
        ]
        assert made.token_limit == config.local.token_limit + 100

    def test_a_name_that_is_not_registered_is_refused(self) -> None:
        with pytest.raises(UnknownPluginError, match="unknown tier 'nots'"):
            MemoryStack.of(MemorySection(tiers=("nots",)), counter=COUNTER)

    def test_two_of_one_name_are_refused(self) -> None:
        twice = MemorySection(tiers=(f"{__name__}:notes",) * 2)
        with pytest.raises(ConfigError, match="2 tiers are called 'notes'") as caught:
            MemoryStack.of(twice, counter=COUNTER)
        assert caught.value.hint

    def test_what_is_no_tier_is_refused(self) -> None:
        half = MemorySection(tiers=(f"{__name__}:half",))
        with pytest.raises(ConfigError, match="makes no tier") as caught:
            MemoryStack.of(half, counter=COUNTER)
        assert "see MemoryTier (" in caught.value.hint
