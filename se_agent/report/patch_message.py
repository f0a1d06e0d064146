"""What a pull request says of a proven change: the claim with its doubt, and what it rests on.

Pure. Not here: the diff, and what is done with it (`se_agent.cli.commands.patch`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from se_agent.program.editable import in_words, joined_names, names_of
from se_agent.program.source_check import changed_functions, changed_names
from se_agent.program.style.guards import assumptions
from se_agent.program.style.passes import GUARDS, restyled_files
from se_agent.program.style.score import StyleChange, style_change
from se_agent.report import totals
from se_agent.report.story import Story, lineage
from se_agent.report.words import phrases
from se_agent.report.words.basis import final_blocks
from se_agent.report.words.best import winner
from se_agent.report.words.doubts import doubts
from se_agent.stats.summary import costly_start
from se_agent.values.objective import Quantity, seconds
from se_agent.values.solution import Edit, Solution
from se_agent.wording import counted

_SUBJECT = 50  # characters of what became faster, in the first line of a commit
_PER_LINE = 300  # characters of a line
_MORE = 1.1  # of the memory before, from which on it is told


def title(story: Story, function: str, workload: str = "") -> str:
    """Return the first line of a commit: what became how much better, and in which workload."""
    found, started = story.confirmed, story.started
    assert found is not None
    assert started is not None
    names, best = names_of(function), winner(story)
    if len(names) > 1 and best is not None:
        names = changed_names(names, started.initial.files, best.files) or names
    whole = in_words(joined_names(names)).replace("`", "")
    plain = f"{function}()" if names == (function,) else whole
    if len(plain) > _SUBJECT and len(names) > 1:
        plain = f"{in_words(names[0]).replace('`', '')} and {len(names) - 1} more"
    what = plain if function else phrases.one_line(started.name, 40)
    if found.gain is None:
        return f"Better score of {what}: {found.score_initial:g} -> {found.score:g}"
    unit = "faster" if started.objective.unit == "s" else f"less {started.objective.title}"
    if workload:
        return f"Make {what} {unit}: {phrases.times(found.gain)} in {workload}()"
    return f"Make {what} {phrases.times(found.gain)} {unit}"


def message(
    story: Story,
    *,
    function: str,
    called: str,
    workload: str,
    file: str,
    tests: str,
    changes: Mapping[Edit, str],
    conditions: Mapping[Edit, str],
) -> list[str]:
    """Return the message of a commit or a pull request, line by line.

    Args:
        story: The fold of the run's journal; it has a confirmed program.
        function: What could change, see `program.editable`; empty: the program.
        called: The function whose answers were compared, where the rest are its helpers.
        workload: Function of the user's that was measured; empty: the program itself was.
        file: Name of its file.
        tests: Path of the tests that passed; empty: none were given.
        changes: What each edit does, in words; one without words is left out.
        conditions: What edits rely on and nothing but inputs showed, in a clause each.
    """
    best, started = winner(story), story.started
    assert best is not None
    assert started is not None
    body = [
        *_section("What changed", dict.fromkeys(_changed(best.edits, changes))),
        *_section("Measured", _measured(story, f"`{workload}` in {file}" if workload else "")),
        *_section("Checked", _checked(story, tests)),
        *_section(
            "Caveats",
            (
                *changed_beside(story, called),
                *caveats(story, best),
                *_relied(best.edits, conditions),
            ),
        ),
    ]
    return [title(story, called or function, workload), *body]


def changed_beside(story: Story, called: str) -> Iterator[str]:
    """Yield a sentence on each function that changed besides the one whose answers count.

    Args:
        story: The fold of the run's journal.
        called: Name of that one; empty: there is no such difference.
    """
    best, started = winner(story), story.started
    if not called or best is None or started is None:
        return
    for path, old in started.initial.files.items():
        for name in changed_functions(old, best.files.get(path, old)):
            if name != called:
                yield f"`{name}` changed with it: its answers were compared through `{called}`."


def style_of(story: Story) -> StyleChange | None:
    """Return how the best program reads against the initial one; None: it is that one."""
    best, started = winner(story), story.started
    if best is None or started is None:
        return None
    return style_change(started.initial.files, best.files)


def style_line(found: StyleChange) -> str:
    """Return the score of a change's style in a line, with what it is made of."""
    told = [
        f"{count:+d} {name.replace('_', ' ')}"
        for name, count in found._asdict().items()
        if count
    ]
    return (
        f"style: {found.points:+.1f} points ({', '.join(told) or 'as before'}); less is plainer"
    )


def caveats(story: Story, best: Solution) -> Iterator[str]:
    """Yield what else changed, or may have: a sentence each."""
    blocks = [event.block for event in final_blocks(story)]
    if (alone := costly_start(blocks)) is not None:
        old, new = map(seconds, alone)
        yield f"A process that calls it once takes {new} instead of {old}."
    for figure in story.confirmed.figures if story.confirmed else ():
        more = figure.candidate > _MORE * figure.reference
        if figure.quantity is Quantity.MEMORY and more:
            yield "It takes more memory than before; see the figures above."
    hunt = story.hunts.get(best.id)
    if hunt is None or not hunt.tried:
        yield "No inputs were made up to find a difference: only the tests speak for it."
    yield from (doubt.words for doubt in doubts(story))
    yield from (note.rstrip(".") + "." for note in story.notes)
    yield from _assumed(story, best)


def _assumed(story: Story, best: Solution) -> Iterator[str]:
    """Yield which guards were left out on the way, for all inputs passed them."""
    line = [story.solutions[name] for name in lineage(story, best.id)]
    initial = story.started.initial.files if story.started else {}
    for parent, child in pairwise(line):
        last = dict(child.edits[-1].parameters) if child.edits else {}
        if last.get("passes") not in GUARDS:
            continue
        old, new = (restyled_files(initial, each.files, ("names",)) for each in (parent, child))
        for path, text in new.items():  # by the names that the patch has
            for one in assumptions(old.get(path, ""), text):
                code = phrases.one_line(one, 80)
                yield f"It relies on `{code}`, which held for all inputs that were seen."


def _section(name: str, lines: Iterable[str]) -> list[str]:
    told = [phrases.one_line(line, _PER_LINE) for line in lines if line]
    return ["", f"{name}:", *(f"- {line}" for line in told)] if told else []


def _changed(edits: Sequence[Edit], changes: Mapping[Edit, str]) -> Iterator[str]:
    for edit in edits:
        if words := changes.get(edit, ""):
            where = f" (`{edit.function}`)" if edit.function else ""
            yield f"{words.rstrip('.')}{where}"


def _relied(edits: Sequence[Edit], conditions: Mapping[Edit, str]) -> Iterator[str]:
    """Yield what edits rely on, each once, with the functions of all of them."""
    places: dict[str, dict[str, None]] = {}
    for edit in edits:
        if words := conditions.get(edit, ""):
            places.setdefault(words, {})[edit.function] = None
    for words, functions in places.items():
        where = ", ".join(f"`{name}`" for name in functions if name)
        told = f"{words} ({where})" if where else words
        yield f"It relies on this, which no input contradicted: {told}."


def _measured(story: Story, workload: str) -> Iterator[str]:
    yield phrases.outcome(story).removeprefix("proven: ")
    yield totals.beside(story).removeprefix("read beside it: ")
    if workload:
        yield f"these are figures of whole calls of {workload}, not of the changed code alone"


def _checked(story: Story, tests: str) -> Iterator[str]:
    found, started = story.confirmed, story.started
    assert found is not None
    assert started is not None
    blocks = [event.block for event in final_blocks(story)]
    if blocks and math.isfinite(blocks[0].effect):
        yield "the answers are those of the old code on every input that was measured"
    hunt = story.hunts.get(found.solution)
    if hunt is not None and hunt.tried:
        tried = counted(hunt.tried, "input")
        yield f"no difference found on {tried} made up to find one"
    if tests:
        yield f"the tests in `{tests}` pass"


def warnings(story: Story) -> Sequence[str]:
    """Return the names of the doubts about a change, each once."""
    return tuple(dict.fromkeys(doubt.name for doubt in doubts(story)))
