"""Earlier steps word by word: no more texts are loaded than there is room for."""

from __future__ import annotations

import json

from se_agent.chat.messages import Message
from se_agent.config.context_limits import ContextLimits
from se_agent.memory.context.digest import PastTurn
from se_agent.memory.context.tokens import ESTIMATE
from se_agent.memory.messages.fold import Threads
from se_agent.memory.messages.shown import EarlierTurns

STEPS = 30


def test_of_a_long_thread_only_the_last_replies_are_loaded() -> None:
    threads, loaded = Threads(), list[str]()
    for slot in range(STEPS):
        step = PastTurn(
            slot=slot, agent="mutate", request="asked", reply=f"reply {slot}", tokens=100
        )
        threads = threads.with_turn(step)

    def text(digest: str) -> str:
        loaded.append(digest)
        asked = json.dumps([["system", "Be brief."], ["user", "Make it faster."]])
        return asked if digest == "asked" else f"{digest}: {'some words of it ' * 25}"

    limits = ContextLimits(history="full", history_token_limit=600)
    earlier = EarlierTurns(threads=threads, limits=limits, counter=ESTIMATE, text=text)
    shown = earlier.conversation("mutate", "", [Message("user", "And now?")])
    replies = {digest for digest in loaded if digest != "asked"}
    assert any(f"reply {STEPS - 1}:" in message.content for message in shown)
    assert 0 < len(replies) < STEPS / 2
