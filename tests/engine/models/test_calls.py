"""Every call of a model: made once, within the budget, on record before anybody reads it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from se_agent.chat.events import Lost, Unanswered
from se_agent.chat.messages import Reply, Role, Usage
from se_agent.engine.journal.transcript import unpacked_messages
from se_agent.engine.models.circuit_breaker import PATIENCE
from se_agent.errors import ModelError, TooLongError
from tests.engine.models.calling import (
    ASKED,
    COUNTER,
    PROMPT,
    Table,
    Talker,
    at_a_time,
    failing,
    run_file,
    too_long,
)


@pytest.fixture
def talker() -> Talker:
    return Talker()


@pytest.fixture
def table(talker: Talker) -> Iterator[Table]:
    made = Table(run_file({"main": {}}), main=talker)
    with made.journal:
        yield made


class TestRecord:
    """What is on record is never asked for again."""

    def test_an_answer_is_given_twice_and_asked_for_once(
        self, table: Table, talker: Talker
    ) -> None:
        first = table.ask()
        assert table.ask() == first
        assert table.ask(attempt=1) != first
        assert table.ask(role=Role.EXTRACT) != first
        assert table.ask(slot=-1) != first
        assert len(talker.longest) == 4

    def test_a_failure_stands(self, table: Table, talker: Talker) -> None:
        talker.answer = failing()
        first = table.ask()
        talker.answer = lambda number: Reply(text="late")
        assert isinstance(first, Unanswered)
        assert (first.why, first.limit) == ("no route 1", "")
        assert table.ask() == first

    def test_the_journal_has_the_whole_conversation(self, table: Table) -> None:
        replied = table.ask(slot=3, attempt=1)
        (event,) = table.journal.events()
        assert event == replied
        assert unpacked_messages(replied.request, table.journal.text) == ASKED
        assert (replied.slot, replied.attempt, replied.model) == (3, 1, "main")

    @pytest.mark.parametrize("error", [ModelError("no route"), TooLongError("too long")])
    def test_it_has_what_was_asked_in_vain_too(
        self, table: Table, talker: Talker, error: ModelError
    ) -> None:
        def answer(number: int) -> Reply:
            raise error

        talker.answer = answer
        failed = table.ask()
        assert isinstance(failed, Unanswered)
        assert list(table.journal.events()) == [failed]
        assert unpacked_messages(failed.request, table.journal.text) == ASKED

    def test_a_call_that_is_not_made_asks_nothing(self, talker: Talker) -> None:
        table = Table(run_file({"main": {}}, tokens=1), main=talker)
        with table.journal:
            assert (table.ask().request, talker.longest) == ("", [])

    def test_what_the_endpoint_does_not_count_is_counted_here(self, table: Table) -> None:
        usage = table.ask().usage
        assert usage == Usage(prompt=PROMPT, completion=COUNTER.count("reply 1"))

    def test_half_a_count_is_completed(self, table: Table, talker: Talker) -> None:
        """Else what an endpoint does not name would cost nothing."""
        said = [Usage(completion=50), Usage(prompt=70, cached=60)]
        talker.answer = lambda number: Reply(text="x = 1", usage=said[number - 1])
        assert table.ask(slot=0).usage == Usage(prompt=PROMPT, completion=50)
        counted = COUNTER.count("x = 1")
        assert table.ask(slot=1).usage == Usage(prompt=70, cached=60, completion=counted)

    def test_half_a_surrogate_pair_reaches_no_disk(self, table: Table, talker: Talker) -> None:
        talker.answer = lambda number: Reply(text="x = '\ud800'")
        assert table.ask().text == r"x = '\ud800'"
        assert len(list(table.journal.events())) == 1


class TestContext:
    """Prompt and reply share it."""

    @pytest.mark.parametrize(
        ("context", "longest"),
        [
            pytest.param(PROMPT + 5000, 4000, id="room"),
            pytest.param(PROMPT + 2000, 2000, id="a-shorter-reply"),
            pytest.param(PROMPT + 1023, None, id="too-short-a-reply"),
            pytest.param(PROMPT - 1, None, id="no-room-for-the-prompt"),
        ],
    )
    def test_a_reply_gets_what_the_prompt_leaves(
        self, talker: Talker, context: int, longest: int | None
    ) -> None:
        config = run_file({"main": {"context": context, "max_tokens": 4000}})
        table = Table(config, main=talker)
        with table.journal:
            answer = table.ask()
        assert talker.longest == ([] if longest is None else [longest])
        if longest is None:
            assert f"models.main.context has {context}" in answer.why
            assert answer.limit == ""


class TestFailures:
    """Some calls may fail; a dead endpoint pauses the run."""

    def test_the_run_is_paused_after_several_in_a_row(
        self, table: Table, talker: Talker
    ) -> None:
        talker.answer = failing()
        for slot in range(PATIENCE - 1):
            assert table.ask(slot=slot).kind == "unanswered"
        with pytest.raises(ModelError, match=r"main: 5 calls in a row failed") as caught:
            table.ask(slot=PATIENCE)
        assert "no route 5" in str(caught.value)
        assert "resume" in caught.value.hint
        *refused, last = (event.kind for event in table.journal.events())
        assert refused == ["unanswered"] * (PATIENCE - 1)
        assert last == "lost", "it is asked again"

    def test_a_reply_ends_the_row(self, table: Table, talker: Talker) -> None:
        for slot in range(4 * PATIENCE):
            talker.answer = failing() if slot % PATIENCE else lambda number: Reply(text="x")
            table.ask(slot=slot)
        kinds = Counter(event.kind for event in table.journal.events())
        assert kinds == {"replied": 4, "unanswered": 4 * (PATIENCE - 1)}

    def test_another_model_that_replies_does_not_hide_a_dead_one(self) -> None:
        models = {"dead": {"weights": {"plan": 0.0}}, "well": {"weights": {"mutate": 0.0}}}
        table = Table(run_file(models), dead=Talker(failing()), well=Talker())
        with table.journal:
            for slot in range(PATIENCE - 1):
                assert table.ask(slot=slot, role=Role.MUTATE).kind == "unanswered"
                assert table.ask(slot=slot, role=Role.PLAN).kind == "replied"
            with pytest.raises(ModelError, match=r"models\.dead: 5 calls in a row failed"):
                table.ask(slot=PATIENCE, role=Role.MUTATE)

    def test_the_time_that_one_took_is_on_record(self, table: Table, talker: Talker) -> None:
        def answer(number: int) -> Reply:
            time.sleep(0.01)
            raise ModelError("no route")

        talker.answer = answer
        assert table.ask().seconds >= 0.01
        assert table.state.costs.asked.in_all.seconds >= 0.01

    def test_a_prompt_that_is_too_long_is_no_sign_of_trouble(
        self, table: Table, talker: Talker
    ) -> None:
        talker.answer = too_long
        answers = [table.ask(slot=slot) for slot in range(3 * PATIENCE)]
        assert {(answer.kind, answer.limit) for answer in answers} == {("unanswered", "")}
        assert answers[0].why == (
            f"models.main takes no prompt of {PROMPT} tokens, see its `context`: "
            "400: maximum context length is 8 tokens, call 1"
        )
        assert table.ask(slot=0) == answers[0], "it would fail again"
        assert len(talker.longest) == 3 * PATIENCE

    def test_a_prompt_that_is_too_long_ends_no_row_of_failures(
        self, table: Table, talker: Talker
    ) -> None:
        for slot in range(PATIENCE - 1):
            talker.answer = failing()
            table.ask(slot=2 * slot)
            talker.answer = too_long
            table.ask(slot=2 * slot + 1)
        talker.answer = failing()
        with pytest.raises(ModelError, match="5 calls in a row failed"):
            table.ask(slot=2 * PATIENCE)

    def test_a_wrong_key_ends_the_run_at_once(self, table: Table, talker: Talker) -> None:
        talker.answer = failing("wrong key", fatal=True)
        with pytest.raises(ModelError, match="wrong key"):
            table.ask()
        (event,) = table.journal.events()
        assert isinstance(event, Lost)
        assert (event.why, event.lost.total, event.role) == ("wrong key 1", 0, Role.MUTATE)
        assert unpacked_messages(event.request, table.journal.text) == ASKED

    def test_who_is_well_may_finish_when_another_fails_for_good(self) -> None:
        begun, ready = threading.Event(), threading.Event()

        def answer(number: int) -> Reply:
            begun.set()
            assert ready.wait(10)
            return Reply(text="x")

        config = run_file(
            {"good": {"weights": {"extract": 0.0}}, "bad": {"weights": {"plan": 0.0}}}
        )
        good, bad = Talker(answer), Talker(failing("wrong key", fatal=True))
        table = Table(config, good=good, bad=bad)
        with table.journal, ThreadPoolExecutor(3) as pool:
            slow = pool.submit(table.ask, 0, Role.PLAN)
            assert begun.wait(10)
            with pytest.raises(ModelError, match="wrong key"):
                table.ask(slot=1, role=Role.EXTRACT)
            finishing = pool.submit(table.calls.finish)
            while not bad.closed:
                time.sleep(0.001)
            with pytest.raises(ModelError, match="broken off"):
                table.ask(slot=2, role=Role.EXTRACT)
            assert not finishing.done()
            ready.set()
            assert slow.result(timeout=60).kind == "replied"
            finishing.result(timeout=60)
            kinds = [event.kind for event in table.journal.events()]
            assert kinds == ["lost", "replied"], "who was not asked is not on record"
        assert (good.closed, bad.closed) == (0, 1)

    def test_what_is_broken_off_has_not_failed(self, table: Table, talker: Talker) -> None:
        def answer(number: int) -> Reply:
            table.calls.close()
            raise ModelError("cancelled")

        talker.answer = answer
        with pytest.raises(ModelError, match="cancelled"):
            table.ask(slot=0)
        with pytest.raises(ModelError, match="broken off") as caught:
            table.ask(slot=1)
        assert "resume" in caught.value.hint
        assert (talker.closed, len(talker.longest)) == (1, 1)
        (event,) = table.journal.events()
        assert isinstance(event, Lost)
        assert (event.slot, event.why) == (0, "cancelled")


class TestInFlight:
    """So many calls at a time, however many are ready to ask."""

    @pytest.mark.parametrize("in_flight", [1, 3])
    def test_who_is_ready_waits_for_a_place(self, in_flight: int) -> None:
        def answer(number: int) -> Reply:
            time.sleep(0.002)
            return Reply(text=f"reply {number}")

        talker = Talker(answer)
        table = Table(at_a_time(run_file({"main": {}}), in_flight), main=talker)
        with table.journal, ThreadPoolExecutor(12) as pool:
            answers = [*pool.map(table.ask, range(24))]
        assert {one.kind for one in answers} == {"replied"}
        assert talker.most == in_flight

    def test_a_lesson_has_a_place_of_its_own(self) -> None:
        asked, ready = threading.Event(), threading.Event()

        def answer(number: int) -> Reply:
            asked.set()
            assert number > 1 or ready.wait(10)
            return Reply(text="x")

        table = Table(at_a_time(run_file({"main": {}}), 1), main=Talker(answer))
        with table.journal, ThreadPoolExecutor(1) as pool:
            slow = pool.submit(table.ask, 0)
            assert asked.wait(10)
            assert table.ask(slot=1, role=Role.EXTRACT).kind == "replied"
            assert not slow.done()
            ready.set()
            assert slow.result(timeout=60).kind == "replied"

    def test_who_waits_asks_nobody_once_the_run_is_broken_off(self) -> None:
        asked, ready = threading.Event(), threading.Event()

        def answer(number: int) -> Reply:
            asked.set()
            assert ready.wait(10)
            return Reply(text="x")

        talker = Talker(answer)
        table = Table(at_a_time(run_file({"main": {}}), 1), main=talker)
        with table.journal, ThreadPoolExecutor(2) as pool:
            first = pool.submit(table.ask, 0)
            assert asked.wait(10)
            second = pool.submit(table.ask, 1)
            table.calls.close()
            ready.set()
            assert first.result(timeout=60).kind == "replied"
            with pytest.raises(ModelError, match="broken off"):
                second.result(timeout=60)
        assert len(talker.longest) == 1


class TestModels:
    """Weights and the slot's address decide which model is asked."""

    def test_a_role_is_shared_by_weight(self) -> None:
        models = {
            "cheap": {"weights": {"mutate": 3.0, "plan": 0.0}},
            "dear": {"weights": {"extract": 0.0}},
        }
        table = Table(run_file(models), cheap=Talker(), dear=Talker())
        with table.journal:
            found = {
                role: Counter(table.ask(slot=n, role=role).model for n in range(60))
                for role in (Role.MUTATE, Role.PLAN, Role.EXTRACT)
            }
        assert found[Role.PLAN] == {"dear": 60}
        assert found[Role.EXTRACT] == {"cheap": 60}
        assert 30 <= found[Role.MUTATE]["cheap"] <= 57

    def test_the_same_address_asks_the_same_model(self) -> None:
        def asked(order: Sequence[int]) -> dict[int, str]:
            table = Table(run_file({"a": {}, "b": {}}), a=Talker(), b=Talker())
            with table.journal:
                return {n: table.ask(slot=n).model for n in order}

        slots = range(-1, 30)
        assert asked(slots) == asked(slots[::-1])
        assert set(asked(slots).values()) == {"a", "b"}

    def test_many_threads_ask_at_a_time(self) -> None:
        together = threading.Barrier(16)

        def answer(number: int) -> Reply:
            together.wait(timeout=9)
            return Reply(text="x")

        model = Talker(answer)
        table = Table(at_a_time(run_file({"main": {}}), 16), main=model)
        with table.journal, ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda n: table.ask(slot=n), range(16)))
            slots = {event.slot for event in table.journal.events()}
        assert model.most == 16
        assert {answer.kind for answer in answers} == {"replied"}
        assert slots == set(range(16))
