"""An autonomous agent on one problem: it changes its program, is told what came of it, goes on.

The baseline of a single conversation: it sees each answer of the evaluator, keeps its whole
history in the prompt, and works on the best program it has. A program of its own, as those of
others here; nothing of ours is imported.

Usage: python agent.py MARKET JUDGE STATEMENT INITIAL CALLS SEED FOLDER
"""

from __future__ import annotations

import json
import re
import sys
import urllib.request
from pathlib import Path
from typing import Any

_BLOCK = re.compile(r"```python\n(.*?)```", re.S)
_SYSTEM = (
    "You make the program below faster: it has to give the same answers in less CPU time. In "
    "each turn write a line that says what you change, and the whole new program in one fenced "
    "block. An evaluator tells you what came of it.\n\n{statement}"
)
_TASK = "## The current program\n```python\n{program}\n```\nMake it faster."


def answer_of(url: str, body: bytes) -> Any:  # whatever JSON an endpoint answers with
    """Return what an endpoint answers to a request."""
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as answer:
        return json.load(answer)


def evaluator_turn(words: str, verdict: Any, best: float) -> str:  # as `answer_of`
    """Return what the evaluator says of a try, as a turn of the conversation."""
    if not verdict["right"]:
        return f"## This failed\n- {words}\n{verdict['feedback']}"
    gain = f"ln(initial time / time) is {verdict['gain']:.3f}, before it was {best:.3f}"
    head = "This worked" if verdict["gain"] > best else "This did not help"
    return f"## {head}\n- {words}\n{gain}"


def main() -> None:
    """Go on until all calls are made."""
    market, judge, statement, initial, calls, _, _ = sys.argv[1:]
    program, best = Path(initial).read_text(encoding="utf-8"), 0.0
    words = Path(statement).read_text(encoding="utf-8")
    history: list[dict[str, str]] = [
        {"role": "system", "content": _SYSTEM.format(statement=words)}
    ]
    for _ in range(int(calls)):
        task = {"role": "user", "content": _TASK.format(program=program.rstrip())}
        asked = json.dumps({"model": "market", "messages": [*history, task]}).encode()
        reply = answer_of(f"{market}/chat/completions", asked)["choices"][0]["message"][
            "content"
        ]
        found = _BLOCK.search(reply)
        said = "## This failed\n- no program\nThere is no fenced block in the answer."
        if found is not None:
            verdict = answer_of(judge, found[1].encode())
            said = evaluator_turn(reply.partition("\n")[0], verdict, best)
            if verdict["right"] and verdict["gain"] > best:
                program, best = found[1], verdict["gain"]
        history += [{"role": "assistant", "content": reply}, {"role": "user", "content": said}]


if __name__ == "__main__":
    main()
