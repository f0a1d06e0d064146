"""Draws the faults that are planted: from a seed, in every room, by our own code. Pure.

The same seed at the same commit gives the same faults. Not here: what finds them (`meet`).
"""

from __future__ import annotations

import ast
import difflib
import random
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from math import sqrt
from pathlib import Path

from evaluators.mutants.mutants import sample
from se_agent.program.normal_form import normal_form

PACKAGES = ("se_agent", "operators", "evaluators")
_DEPTH = 3
"""Folders below this level belong to the room above them."""

_MOST = {"operators/known_functions/library": 5}
"""Rooms of many texts of one kind; their lines say nothing about how much there is to find."""

_TRIES = 4
"""Mutants of a module that one fault is chosen from: some are left out."""


@dataclass(frozen=True, kw_only=True)
class Planted:
    """A fault in a module of ours.

    Attributes:
        number: Its place in the draw, from 1.
        room: Folder that it counts for.
        file: Path below the root of the repository.
        line: First line that changes, from 1.
        kind: What was done wrong.
        function: Qualified name of the function; empty at module level.
        old: The lines that go, with their ends.
        new: The lines that come.
    """

    number: int
    room: str
    file: str
    line: int
    kind: str
    function: str
    old: str
    new: str

    @property
    def row(self) -> dict[str, object]:
        """The fault as a row of JSON."""
        return asdict(self)

    def in_text(self, text: str) -> str:
        """Return the module with the fault; of equal lines those nearest to `line` change.

        Raises:
            ValueError: The lines are not there any more.
        """
        places = list(_places(text, self.old))
        if not places:
            raise ValueError(
                f"{self.file}:{self.line}: the lines of fault {self.number} are gone"
            )
        lines = text.splitlines(keepends=True)
        first = min(places, key=lambda place: abs(place + 1 - self.line))
        last = first + len(self.old.splitlines())
        return "".join([*lines[:first], self.new, *lines[last:]])


def draw(root: Path, count: int, seed: int) -> list[Planted]:
    """Return the faults in a random order; fewer where rooms have no place for them.

    A part from the front is a sample of all rooms: who stops early has one.

    Args:
        root: Root of the repository.
        count: Faults in all.
        seed: Seed of the draw.
    """
    rooms = _rooms(root)
    lines = {room: sum(map(_lines, files)) for room, files in rooms.items()}
    drawn: list[Planted] = []
    for room, share in shares(lines, count).items():
        rng = random.Random(f"{seed} {room}")
        drawn += _of_room(root, room, rooms[room], share, rng)
    random.Random(seed).shuffle(drawn)
    return [replace(fault, number=number) for number, fault in enumerate(drawn, start=1)]


def shares(lines: Mapping[str, int], count: int) -> dict[str, int]:
    """Return how many faults each room gets: by the root of its lines, at least one each."""
    share = {room: 1 for room, number in lines.items() if number}
    while sum(share.values()) < count:
        free = [room for room in share if share[room] < _MOST.get(room, count)]
        most = max(free, key=lambda room: (sqrt(lines[room]) / (share[room] + 0.5), room))
        share[most] += 1
    return share


def _rooms(root: Path) -> dict[str, list[Path]]:
    rooms: dict[str, list[Path]] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            room = "/".join(path.relative_to(root).parent.parts[:_DEPTH])
            if path.name != "__init__.py":
                rooms.setdefault(room, []).append(path)
    return rooms


def _of_room(
    root: Path, room: str, files: list[Path], share: int, rng: random.Random
) -> list[Planted]:
    """Draw the faults of a room, not numbered yet; a function has one at most."""
    found: dict[tuple[str, str], Planted] = {}
    for _ in range(share * 10):
        if len(found) == share:
            break
        (path,) = rng.choices(files, weights=[_lines(each) for each in files])
        file = str(path.relative_to(root))
        for fault in _of_module(path.read_text(encoding="utf-8"), room, file, rng):
            place = (file, fault.function or str(fault.line))
            if place not in found:
                found[place] = fault
                break
    return list(found.values())


def _of_module(text: str, room: str, file: str, rng: random.Random) -> Iterator[Planted]:
    seed = zlib.crc32(f"{file} {rng.random()}".encode())
    for mutant in sample(text, None, count=_TRIES, seed=seed).mutants:
        if tells(text, mutant.text):
            line, old, new = changed(text, mutant.text)
            yield Planted(
                number=0,
                room=room,
                file=file,
                line=line,
                kind=mutant.fault.value,
                function=mutant.function,
                old=old,
                new=new,
            )


def changed(old: str, new: str) -> tuple[int, str, str]:
    """Return the first line that differs, from 1, and the lines before and after."""
    olds, news = old.splitlines(keepends=True), new.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, olds, news, autojunk=False)
    codes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    (_, i, _, m, _), (_, _, j, _, n) = codes[0], codes[-1]
    return i + 1, "".join(olds[i:j]), "".join(news[m:n])


def tells(old: str, new: str) -> bool:
    """Say whether a fault is worth a test: not in a message, a type, or under TYPE_CHECKING."""
    before, after = _bare(old), _bare(new)
    return normal_form(before) != normal_form(after)


class _Bare(ast.NodeTransformer):
    """Takes out of a module what no test need tell apart."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if "TYPE_CHECKING" in ast.unparse(node.test):
            return None
        return self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.copy_location(ast.Constant(value=""), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(value="")
        return self.generic_visit(node)


def _bare(text: str) -> ast.Module:
    """Return the tree of a module without docstrings, filled texts, aliases and annotations."""
    tree = _Bare().visit(ast.parse(text))
    assert isinstance(tree, ast.Module)
    tree.body = [each for each in tree.body if not _is_alias(each)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.fix_missing_locations(tree)


def _is_alias(node: ast.stmt) -> bool:
    """Say whether a statement names a type: `Place = tuple[int, ...] | None`."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return False
    name = node.targets[0].id.lstrip("_")
    typed = isinstance(node.value, ast.BinOp | ast.Subscript)
    return typed and name[:1].isupper() and not name.isupper()


def _places(text: str, block: str) -> Iterator[int]:
    lines, wanted = text.splitlines(keepends=True), block.splitlines(keepends=True)
    for first in range(len(lines) - len(wanted) + 1):
        if lines[first : first + len(wanted)] == wanted:
            yield first


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())
