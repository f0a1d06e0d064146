"""What calls may cost in all: hard limits, with many of them under way."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.chat.events import Replied
from se_agent.chat.messages import Reply, RetryCheck, Role, Usage
from se_agent.engine.models.circuit_breaker import PATIENCE
from se_agent.engine.models.spend_limiter import CallCost
from se_agent.errors import ModelError
from tests.engine.models.calling import (
    COUNTER,
    PROMPT,
    Table,
    Talker,
    failing,
    run_file,
)


class TestBudget:
    """Hard limits, over all roles and all calls under way."""

    @pytest.mark.tier("runs")
    @settings(max_examples=25, deadline=None)
    @given(
        calls=st.none() | st.integers(1, 30),
        tokens=st.none() | st.integers(1, 6000),
        money=st.none() | st.floats(1e-6, 0.02),
        sizes=st.lists(st.integers(0, 200), min_size=1, max_size=40),
        threads=st.sampled_from([1, 8, 32]),
    )
    def test_no_number_of_threads_gets_above_a_limit(
        self,
        calls: int | None,
        tokens: int | None,
        money: float | None,
        sizes: list[int],
        threads: int,
    ) -> None:
        prices = {"prompt_price": 1.0, "completion_price": 4.0, "max_tokens": 200}
        config = run_file({"main": prices}, calls=calls, tokens=tokens, money=money)
        model = Talker(
            lambda number: Reply(
                text="x",
                usage=Usage(prompt=PROMPT, completion=sizes[number % len(sizes)]),
            )
        )
        table = Table(config, main=model)
        roles = list(Role)
        with table.journal, ThreadPoolExecutor(threads) as pool:
            answers = list(
                pool.map(lambda n: table.ask(slot=n, role=roles[n % len(roles)]), range(40))
            )
        paid = [answer for answer in answers if isinstance(answer, Replied)]
        total = table.state.costs.asked.in_all
        assert total.calls == len(paid) == len(model.longest)
        assert calls is None or total.calls <= calls
        assert tokens is None or total.usage.total <= tokens
        assert money is None or (total.money or 0.0) <= money
        for refused in set(answers) - set(paid):
            assert refused.limit in {"calls", "tokens", "money"}
        if calls is not None and tokens is None and money is None:
            assert total.calls == min(calls, 40), "what fits is let through"

    def test_attempts_that_may_be_billed_count_against_it(self) -> None:
        """By an estimate; the budget of calls counts those that were answered."""
        prices = {"prompt_price": 1.0, "completion_price": 4.0, "max_tokens": 100}
        config = run_file({"main": prices}, tokens=4 * PROMPT + 100)
        part = Reply(text="half a reply")
        half, usage = COUNTER.count(part.text), Usage(prompt=PROMPT, completion=10)

        def answer(number: int) -> Reply:
            if number == 1:
                raise ModelError("timeout", lost=(part,))
            return Reply(text="x", usage=usage, lost=(part,))

        table = Table(config, main=Talker(answer))
        with table.journal:
            failed, replied, refused = (table.ask(slot=n) for n in range(3))
            table.resume()
            total = table.state.costs.asked.in_all
        lost = Usage(prompt=PROMPT, completion=half)
        assert (failed.lost, failed.money) == (lost, pytest.approx((PROMPT + 4 * half) / 1e6))
        assert (replied.usage, replied.lost) == (usage, lost)
        assert replied.money == pytest.approx((2 * PROMPT + 4 * (10 + half)) / 1e6)
        assert refused.limit == "tokens"
        assert (total.calls, total.failed) == (1, 1)
        assert (total.usage, total.estimated) == (usage + lost + lost, 2 * lost.total)
        assert total.money == pytest.approx(failed.money + replied.money)
        assert table.state.costs.longest == {"main": 10}, "a reply is none that broke off"
        assert table.state.costs.surcharge_of("main") == 1.0

    @pytest.mark.parametrize("known", [False, True])
    @pytest.mark.parametrize("limit", ["tokens", "money"])
    def test_attempts_of_one_call_stay_within_it(self, limit: str, known: bool) -> None:
        """Each may be billed; there is another only where all of them fit."""
        each = PROMPT + 100
        prices = {"prompt_price": 1.0, "completion_price": 1.0, "max_tokens": 100}
        most = 3 * each + known * (PROMPT + 1) + 50
        room = {limit: most if limit == "tokens" else most / 1e6}
        long = Reply(text="word " * 100, usage=Usage(prompt=PROMPT, completion=100))
        attempts: list[int] = []

        class Stalling(Talker):
            """Every attempt breaks off behind its longest reply."""

            def complete(
                self, *args: Any, again: RetryCheck | None = None, **more: Any
            ) -> Reply:
                if known and not attempts:
                    attempts.append(0)
                    return Reply(text="x", usage=Usage(prompt=PROMPT, completion=1))
                lost = [long]
                while again is not None and again(lost):
                    lost.append(long)
                attempts.append(len(lost))
                raise ModelError("it stalls", lost=lost)

        table = Table(run_file({"main": prices}, **room), main=Stalling())
        with table.journal:
            answers = [table.ask(slot=n) for n in range(2 + known)]
            total = table.state.costs.asked.in_all
        assert attempts[-1] == 3
        assert answers[-1].limit == limit
        assert total.usage.total <= most

    def test_an_attempt_that_the_aside_covers_waits_for_nobody(self) -> None:
        """An unknown endpoint may fill its context: that is enough for what it lost, too."""
        began, refused = threading.Barrier(3, timeout=60), list[bool]()
        short = Reply(text="x", usage=Usage(prompt=PROMPT, completion=1))

        class Stalling(Talker):
            def complete(
                self, *args: Any, again: RetryCheck | None = None, **more: Any
            ) -> Reply:
                began.wait()
                assert again is not None
                refused.append(not again([short]))
                began.wait()
                return short

        config = run_file({"main": {"max_tokens": 100, "context": 5000}}, tokens=3 * 5000)
        table = Table(config, main=Stalling())
        with table.journal, ThreadPoolExecutor(3) as pool:
            assert {a.kind for a in pool.map(table.ask, range(3))} == {"replied"}
        assert refused == [False] * 3

    @pytest.mark.parametrize("fatal", [False, True])
    def test_what_a_call_lost_that_ends_the_run_is_paid_for(self, fatal: bool) -> None:
        prices = {"prompt_price": 1.0, "completion_price": 1.0, "max_tokens": 100}
        part = Reply(text="x", usage=Usage(prompt=PROMPT, completion=10))

        def answer(number: int) -> Reply:
            raise ModelError("it stalls", fatal=fatal, lost=(part,))

        config = run_file({"main": prices}, tokens=PATIENCE * (PROMPT + 10) + PROMPT + 100)
        table = Table(config, main=Talker(answer))
        with table.journal:
            asked = 1 if fatal else PATIENCE
            for slot in range(asked - 1):
                table.ask(slot=slot)
            with pytest.raises(ModelError, match="it stalls"):
                table.ask(slot=asked - 1)
            last = list(table.journal.events())[-1]
            assert (last.kind, last.slot) == ("lost", asked - 1)
            table.resume(main=Talker(lambda number: Reply(text="x", usage=part.usage)))
            total = table.state.costs.asked.in_all
            assert (total.calls, total.failed, total.estimated) == (0, asked, total.usage.total)
            assert total.usage.total == asked * (PROMPT + 10)
            assert total.money == pytest.approx(total.usage.total / 1e6)
            assert table.ask(slot=asked - 1).kind == "replied", "it is made again"
            kinds = [table.ask(slot=10 + n).kind for n in range(PATIENCE)]
        assert kinds.count("replied") == PATIENCE - asked

    def test_a_call_is_let_through_as_long_as_its_longest_reply_fits(self) -> None:
        longest = 100
        config = run_file({"main": {"max_tokens": longest}}, tokens=2 * PROMPT + longest + 10)
        usage = Usage(prompt=PROMPT, completion=10)
        model = Talker(lambda number: Reply(text="x", usage=usage))
        table = Table(config, main=model)
        with table.journal:
            answers = [table.ask(slot=n) for n in range(3)]
        assert [answer.kind for answer in answers] == ["replied", "replied", "unanswered"]
        assert answers[-1].why.startswith("budget.tokens has no room for a call of up to ")
        assert answers[-1].why.endswith(f" {PROMPT + 100} tokens")

    @pytest.mark.parametrize("threads", [1, 8])
    def test_what_calls_under_way_may_cost_is_waited_for(self, threads: int) -> None:
        longest, calls = 200, 20
        config = run_file(
            {"main": {"max_tokens": longest}},
            tokens=calls * PROMPT + (calls - 1) * 10 + longest,
        )

        def answer(number: int) -> Reply:
            time.sleep(0.002)
            return Reply(text="x", usage=Usage(prompt=PROMPT, completion=10))

        table = Table(config, main=Talker(answer))
        with table.journal, ThreadPoolExecutor(threads) as pool:
            answers = list(pool.map(table.ask, range(calls + 1)))
        assert Counter(a.kind for a in answers) == {"replied": calls, "unanswered": 1}

    def test_who_waits_for_room_is_broken_off_too(self) -> None:
        began, closed = threading.Event(), threading.Event()

        def answer(number: int) -> Reply:
            began.set()
            closed.wait()
            raise ModelError("closed")

        table = Table(run_file({"main": {}}, calls=1), main=Talker(answer))
        with table.journal, ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(table.ask, slot) for slot in range(2)]
            began.wait()
            table.calls.close()
            closed.set()
            for future in asked:
                with pytest.raises(ModelError, match=r"closed|the run was broken off"):
                    future.result()
            (event,) = table.journal.events()
            assert event.kind == "lost", "who waited was not asked, and is not on record"

    def test_what_was_paid_before_a_kill_counts(self) -> None:
        config = run_file({"main": {}}, calls=3)
        table = Table(config, main=Talker())
        with table.journal:
            for slot in range(2):
                table.ask(slot=slot)
            table.resume(main=Talker())
            kinds = [table.ask(slot=n).kind for n in range(4)]
        assert kinds == ["replied", "replied", "replied", "unanswered"]

    def test_a_failed_call_gives_back_what_was_put_aside(self) -> None:
        model = Talker(failing())
        table = Table(run_file({"main": {}}, calls=1), main=model)
        with table.journal:
            assert table.ask(slot=0).limit == ""
            model.answer = lambda number: Reply(text="x")
            assert table.ask(slot=1).kind == "replied"
            assert table.ask(slot=2).limit == "calls"

    def test_an_endpoint_that_counts_more_is_taken_at_its_word(self) -> None:
        usage = Usage(prompt=3 * PROMPT, completion=1)
        config = run_file({"main": {"max_tokens": 1}}, tokens=3 * PROMPT + 1 + 2 * PROMPT)
        table = Table(config, main=Talker(lambda number: Reply(text="x", usage=usage)))
        with table.journal:
            assert table.ask(slot=0).usage == usage
            assert table.ask(slot=1).limit == "tokens"

    def test_an_endpoint_that_writes_more_than_it_may_is_taken_at_its_word(self) -> None:
        usage = Usage(prompt=PROMPT, completion=500)
        config = run_file({"main": {"max_tokens": 100}}, tokens=2 * (PROMPT + 500) - 1)
        table = Table(config, main=Talker(lambda number: Reply(text="x", usage=usage)))
        with table.journal:
            assert table.ask(slot=0).usage == usage
            assert table.ask(slot=1).limit == "tokens"

    @pytest.mark.parametrize("limit", ["tokens", "money"])
    def test_a_first_burst_stays_within_a_small_budget_whatever_is_written(
        self, limit: str
    ) -> None:
        most = 3 * (PROMPT + 500)
        prices = {"prompt_price": 1.0, "completion_price": 1.0}
        config = run_file(
            {"main": {"max_tokens": 100, **prices}},
            **{limit: most if limit == "tokens" else most / 1e6},
        )

        def answer(number: int) -> Reply:
            time.sleep(0.1)
            return Reply(text="x", usage=Usage(prompt=PROMPT, completion=500))

        model = Talker(answer)
        table = Table(config, main=model)
        with table.journal, ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(table.ask, range(8)))
        assert Counter(a.kind for a in answers) == {"replied": 3, "unanswered": 5}
        assert table.state.costs.asked.in_all.usage.total == most

    @pytest.mark.parametrize(
        ("tokens", "resumed"),
        [
            pytest.param(4 * 10_000, False, id="room-for-all-that-a-context-holds"),
            pytest.param(5 * (PROMPT + 100), True, id="an-endpoint-that-is-known"),
        ],
    )
    def test_a_first_burst_is_made_together_where_it_cannot_do_harm(
        self, tokens: int, resumed: bool
    ) -> None:
        config = run_file({"main": {"max_tokens": 100, "context": 10_000}}, tokens=tokens)
        together = threading.Barrier(4, timeout=60)

        def answer(number: int) -> Reply:
            together.wait()
            return Reply(text="x", usage=Usage(prompt=PROMPT, completion=10))

        table = Table(config, main=Talker())
        with table.journal, ThreadPoolExecutor(4) as pool:
            if resumed:
                table.ask(slot=9)
            table.resume(main=Talker(answer))
            kinds = {a.kind for a in pool.map(table.ask, range(4))}
        assert kinds == {"replied"}

    def test_an_endpoint_that_does_not_answer_first_is_still_asked(self) -> None:
        def answer(number: int) -> Reply:
            if number < 3:
                raise ModelError("no route")
            return Reply(text="x", usage=Usage(prompt=PROMPT, completion=1))

        config = run_file({"main": {"max_tokens": 100}}, tokens=9 * (PROMPT + 100))
        table = Table(config, main=Talker(answer))
        with table.journal, ThreadPoolExecutor(4) as pool:
            kinds = Counter(a.kind for a in pool.map(table.ask, range(6)))
        assert kinds == {"unanswered": 2, "replied": 4}

    @pytest.mark.tier("runs")
    @settings(max_examples=50, deadline=None)
    @given(
        prompts=st.lists(st.integers(1, 4 * PROMPT), min_size=2, max_size=12),
        broken=st.integers(0, 12),
        tokens=st.integers(PROMPT, 20 * PROMPT),
    )
    def test_a_run_that_is_taken_up_counts_prompts_as_the_unbroken_one(
        self, prompts: list[int], broken: int, tokens: int
    ) -> None:
        def told(*, stop: int) -> list[object]:
            used = iter(prompts)
            model = Talker(
                lambda number: Reply(text="x", usage=Usage(prompt=next(used), completion=1))
            )
            table = Table(run_file({"main": {"max_tokens": 1}}, tokens=tokens), main=model)
            answers = []
            with table.journal:
                for slot in range(len(prompts)):
                    if slot == stop:
                        table.resume(main=model)
                    answer = table.ask(slot=slot)
                    answers.append(getattr(answer, "why", None) or answer.usage)
            return answers

        assert told(stop=broken) == told(stop=-1)


def test_a_call_that_cost_nothing_changes_no_sum() -> None:
    paid = CallCost(calls=3, tokens=700, money=0.25)
    assert paid + CallCost() == CallCost() + paid == paid
    assert CallCost().within(CallCost(calls=0, tokens=0, money=0.0))
