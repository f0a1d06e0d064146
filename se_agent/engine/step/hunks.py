"""What turns one program into another, part by part: what trimming drops of a model's work.

Parts are runs of lines, the last one first, so that each keeps its place whatever becomes of
the others. Pure. Not here: edits of rules, which find their place by themselves, nor which
parts are needed (`minimise`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from se_agent.program.features import node_hash, summary
from se_agent.values.solution import Edit

RULE = "change"
"""Rule of an edit that is a run of lines."""

_MOST = 12  # parts of a file: each of them may cost a comparison


class _Run(NamedTuple):
    """Lines from `start` up to `end` become `first` up to `last` of the other text."""

    start: int
    end: int
    first: int
    last: int


def hunks(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[Edit, ...]:
    """Return the edits that turn one program into another; none if they have other files.

    Args:
        old: Complete text by relative path.
        new: Likewise.
    """
    if old.keys() != new.keys():
        return ()
    return tuple(edit for path in sorted(old) for edit in _edits(path, old[path], new[path]))


class Hunks:
    """Makes such edits again; in their order, though any of them may be left out."""

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Return files with the edit; None where other lines stand. See `Replaying`."""
        told = dict(edit.parameters)
        if told.keys() != {"file", "lines", "text"}:  # of an operator with the same name
            return None
        path, (start, end) = told["file"], map(int, told["lines"].split(":"))
        lines = files.get(path, "").splitlines(keepends=True)
        if node_hash("".join(lines[start:end])) != edit.node:
            return None
        return {**files, path: "".join([*lines[:start], told["text"], *lines[end:]])}


def _edits(path: str, old: str, new: str) -> Iterator[Edit]:
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    for run in reversed(_runs(before, after)):
        text = "".join(after[run.first : run.last])
        alone = "".join([*before[: run.start], text, *before[run.end :]])
        touched = summary(old, alone).functions
        yield Edit(
            rule=RULE,
            function=touched[0] if touched else "",
            node=node_hash("".join(before[run.start : run.end])),
            parameters=(("file", path), ("lines", f"{run.start}:{run.end}"), ("text", text)),
        )


def _runs(before: Sequence[str], after: Sequence[str]) -> list[_Run]:
    """Return the runs of lines that differ; near ones are united where there are too many."""
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    found = [_Run(*places) for tag, *places in codes if tag != "equal"]
    bare = [not line.strip() for line in before]
    near = 0
    while True:
        united: list[_Run] = []
        for run in found:
            gap = range(united[-1].end, run.start) if united else range(0)
            if united and (len(gap) <= near or all(bare[line] for line in gap)):
                united[-1] = _Run(united[-1].start, run.end, united[-1].first, run.last)
            else:
                united.append(run)
        if len(united) <= _MOST:
            return united
        near += 1
