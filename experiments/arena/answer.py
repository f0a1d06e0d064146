"""How an answer is written: in the form that the prompt asks for.

Not here: which program it holds (`draw`).
"""

from __future__ import annotations

import ast
import difflib
import itertools
import json
import random
import re
from collections.abc import Iterator

from experiments.arena.corpus import Lot, Program, Strategy, address, edition
from experiments.arena.draw import Drawn, Manner, drawn, named
from experiments.arena.prompt import Asked, Form, parts
from se_agent.program.parsing import tree_of

FILLERS = (
    Strategy(
        "Local names", "Bind globals and methods to local names before loops.", "as before"
    ),
    Strategy(
        "Fewer passes", "Unite neighbouring loops, so that data is passed once.", "as before"
    ),
    Strategy("Remember results", "Keep the result of each call in a dictionary.", "as before"),
    Strategy("Arrays", "Hold numbers in arrays of the standard library.", "as before"),
    Strategy("Generators", "Stream values through generators, store nothing.", "as before"),
)
"""Strategies that are named when more are asked for than the corpus has; then pairs of them."""

_PROSE = (
    "I looked at the program closely. It could be made better, but that needs more thought."
)
_INSIDE = re.compile(
    r"(?P<head>.*?EVOLVE-BLOCK-START[^\n]*\n)(?P<body>.*?)(?P<tail>[^\n]*EVOLVE-BLOCK-END.*)",
    re.S,
)


def answered(asked: Asked, seed: str) -> str:
    """Return the answer to a prompt."""
    if asked.form is Form.LESSON:
        return json.dumps(lesson(asked))
    if asked.form is Form.DIGEST:
        return json.dumps(digest(asked))
    if asked.lot is None:
        return _PROSE
    if asked.form is Form.PLAN:
        return json.dumps({"strategies": list(plan(asked, asked.lot, seed))})
    return _program(asked, asked.lot, drawn(asked, asked.lot, seed))


def plan(asked: Asked, lot: Lot, seed: str, number: int = 5) -> Iterator[dict[str, str]]:
    """Yield strategies that the prompt does not name, those of the corpus and fillers mixed."""
    lines = [line for part in parts(asked.text) for line in part.lines]
    fresh = [each for each in lot.strategies if not named(each.words, lines)]
    pairs = [
        Strategy(f"{a.name}, {b.name}", f"{a.idea} {b.idea}", a.complexity)
        for a, b in itertools.permutations(FILLERS, 2)
    ]
    rng = random.Random(seed)
    fillers = [
        each
        for some in (list(FILLERS), pairs)
        for each in rng.sample(some, len(some))
        if not any(each.name in line and each.idea in line for line in lines)
    ]
    chosen = (rng.sample(fresh, len(fresh)) + fillers)[:number]
    for strategy in rng.sample(chosen, len(chosen)):
        yield {
            "name": strategy.name,
            "idea": strategy.idea,
            "complexity": strategy.complexity,
        }


def lesson(asked: Asked) -> dict[str, object]:
    """Return the directions of the prompt with those that were tried, by rule.

    The last step gives the item, unless nothing was proven of it.
    """
    blocks = [block for part in parts(asked.text) for block in part.blocks]
    found: list[dict[str, object]] = next(filter(None, map(_listed, blocks)), [])
    steps = re.findall(
        r"\[Outcome: (\w+)\](.*?)^- Step: (\S+) from.*?^- Declared Direction: (.+?)$",
        asked.text,
        re.M | re.S,
    )
    item = None
    for outcome, between, step, direction in steps:
        noise = "within noise" in between
        said = "Neutral" if noise else "Success" if outcome == "SUCCESS" else "Failed"
        known = next((d for d in found if _same(str(d.get("direction")), direction)), None)
        entry = {"outcome": said, "source_ref": step, "evidence": "as measured"}
        if known is None:
            found.append({"key": "", "direction": direction, **entry})
        else:
            known |= entry
        item = None if noise else _item(direction, said, step)
    return {"updated_directions": found, "new_memory_item": item}


def _same(direction: str, other: str) -> bool:
    return direction.rstrip(". ").lower() == other.rstrip(". ").lower()


def _item(direction: str, outcome: str, step: str) -> dict[str, object]:
    return {
        "title": direction[:50],
        "description": f"It ended as {outcome.lower()}.",
        "content": direction,
        "source_ref": step,
        "evidence": {"code_change": direction[:80], "context": "this problem"},
    }


def digest(asked: Asked) -> dict[str, object]:
    """Return the lessons with the largest effects, as many as may stay, in a few words."""
    most = re.search(r"at most (\d+) successes.*?at most (\d+) failures", asked.text, re.S)
    rooms = {"Success": int(most[1]), "Failure": int(most[2])} if most else {}
    lines = [
        line
        for part in parts(asked.text)
        for block in part.blocks
        for line in block.splitlines()
        if line.startswith('{"number"')
    ]
    items = sorted(map(json.loads, lines), key=lambda item: -abs(float(item["effect"])))
    chosen = [
        item
        for kind, room in rooms.items()
        for item in [each for each in items if each["type"] == kind][:room]
    ]
    return {
        "items": [
            {
                "sources": [item["number"]],
                "title": item["title"][:50],
                "description": item["description"][:80],
                "content": item["content"][:160],
            }
            for item in chosen
        ]
    }


def _listed(text: str) -> list[dict[str, object]]:
    try:
        found = json.loads(text)
    except ValueError:
        return []
    whole = isinstance(found, list) and all(isinstance(each, dict) for each in found)
    return found if whole else []


def _program(asked: Asked, lot: Lot, found: Drawn) -> str:
    program, parent = found.program, asked.parent or lot.initial.text
    head = _head(asked, program, found.manner)
    if found.manner is Manner.PROSE:
        return f"{head}\n{_PROSE}" if head else _PROSE
    text = within(parent, edition(program.text, lot.problem.entry_point, found.edition))
    if found.manner is Manner.RENAMED:
        text = renamed(parent)
    if found.manner is Manner.BROKEN:
        text = text.rstrip().rpartition("=")[0] + "= (\n"
    tagged = "<NAME>" in asked.text
    if asked.form is Form.DIFF:
        body = block(parent, text)
        return f"{head}\n<DIFF>\n{body}\n</DIFF>\n" if tagged else f"{head}\n{body}\n"
    body = f"```python\n{text.rstrip()}\n```"
    return f"{head}\n<CODE>\n{body}\n</CODE>\n" if tagged else f"{head}\n\n{body}\n"


def _head(asked: Asked, program: Program, manner: Manner) -> str:
    words = "Other names make it clearer." if manner is Manner.RENAMED else program.words
    if "<NAME>" in asked.text:
        name = "names" if manner is Manner.RENAMED else program.name
        return f"<NAME>\n{name}\n</NAME>\n\n<DESCRIPTION>\n{words}\n</DESCRIPTION>\n"
    if '"expected_effect"' in asked.text:
        declared = {
            "direction": words,
            "expected_effect": "less work in the hot loop",
            "lessons_used": [],
        }
        return f"```json\n{json.dumps(declared)}\n```\n"
    return words


def within(parent: str, text: str) -> str:
    """Return a program with what the parent holds outside of its EVOLVE-BLOCK marks."""
    found = _INSIDE.fullmatch(parent)
    return f"{found['head']}{text.rstrip()}\n{found['tail']}" if found else text


def block(parent: str, text: str) -> str:
    """Return the SEARCH/REPLACE block that makes `text` of `parent`."""
    old, new = parent.splitlines(), text.splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    low, high = (changes[0][1], changes[-1][2]) if changes else (0, len(old))
    start, end = (changes[0][3], changes[-1][4]) if changes else (0, len(new))
    # The lines above and below are added until the place is the only one.
    while low == high or _places(old, old[low:high]) != 1:
        if low > 0:
            low, start = low - 1, start - 1
        elif high < len(old):
            high, end = high + 1, end + 1
        else:
            break
    search, replace = "\n".join(old[low:high]), "\n".join(new[start:end])
    return f"<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE"


def _places(lines: list[str], part: list[str]) -> int:
    size = len(part)
    return sum(lines[n : n + size] == part for n in range(len(lines) - size + 1))


def renamed(text: str) -> str:
    """Return a program of the same content with other names of locals, where that is easy."""
    try:
        tree = tree_of(text)
    except SyntaxError:
        return text
    names = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    if not names:
        return text
    word = re.compile(rf"(?<![\w.])({'|'.join(sorted(names))})(?!\w)")
    made = word.sub(r"my_\1", text)
    same = address(made) == address(text)
    return made if same else f"{text.rstrip()}\n# The same once more.\n"
