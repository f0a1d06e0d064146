"""What every model keeps to."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from se_agent.chat.messages import Message
from se_agent.errors import ModelError
from se_agent.protocols import Model

ASKED = (Message("system", "You make programs faster."), Message("user", "x = 0"))


class ModelContract:
    """Inherited by the tests of every model; the fixtures give three, all of which are closed.

    * `model` answers `REPLY`, as often as it is asked,
    * `slow` would not answer for a minute,
    * `cut` answers the beginning of `REPLY`, for its tokens are used up.
    """

    REPLY = "x = 1"

    @pytest.fixture
    def model(self) -> Model:
        raise NotImplementedError

    @pytest.fixture
    def slow(self) -> Model:
        raise NotImplementedError

    @pytest.fixture
    def cut(self) -> Model:
        raise NotImplementedError

    def test_a_reply_has_its_text_and_its_usage(self, model: Model) -> None:
        reply = model.complete(ASKED, max_tokens=100)
        assert reply.text == self.REPLY
        assert reply.complete
        assert reply.usage.prompt >= reply.usage.cached >= 0
        assert reply.usage.completion >= reply.usage.reasoning >= 0

    def test_many_threads_may_ask(self, model: Model) -> None:
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(lambda _: model.complete(ASKED), range(16)))
        assert [reply.text for reply in replies] == [self.REPLY] * 16

    def test_a_reply_that_was_cut_says_so(self, cut: Model) -> None:
        reply = cut.complete(ASKED, max_tokens=2)
        assert not reply.complete
        assert self.REPLY.startswith(reply.text)

    def test_closing_breaks_off_what_is_under_way(self, slow: Model) -> None:
        with ThreadPoolExecutor(2) as pool:
            calls = [pool.submit(slow.complete, ASKED) for _ in range(2)]
            threading.Timer(0.1, slow.close).start()
            for call in calls:
                with pytest.raises(ModelError, match="broken off"):
                    call.result(timeout=10)

    def test_after_closing_twice_nothing_is_asked(self, model: Model) -> None:
        model.complete(ASKED)
        model.close()
        model.close()
        with pytest.raises(ModelError, match="broken off"):
            model.complete(ASKED)

    def test_one_that_was_never_asked_can_be_closed(self, model: Model) -> None:
        model.close()
        with pytest.raises(ModelError, match="broken off"):
            model.complete(ASKED)
