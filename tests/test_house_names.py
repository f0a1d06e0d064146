"""Gates on names: each has one meaning, and what texts name exists."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import PurePosixPath

from tests.house import CODE, PACKAGES, ROOT, described, modules, parts, text_of, tracked, tree

LIBRARY = "operators/known_functions/library/"
"""Texts that are inserted into users' programs; their names are not the house's."""

TOPS = "|".join((*CODE, "problems", "docs"))
DOTTED = re.compile(rf"(?<![\w./-])(?:{'|'.join(CODE)})(?:\.[A-Za-z]\w*)+")
PATH = re.compile(rf"(?<![\w./-])(?:{TOPS})(?:/[\w.-]*\w)+")
MODULE = re.compile(r"`([\w.-]+(?:/[\w.-]+)+\.py)`")
"""A module in backticks with folders before it; it is to begin at the top."""
ELSEWHERE = {
    *("se_agent.operators", "se_agent.evaluators", "se_agent.policies", "se_agent.models"),
    *("se_agent.folds", "se_agent.sections", "se_agent.memory_tiers"),
    "se_agent/problems",  # in a wheel
    "experiments/rows/NAME.jsonl.gz",
    "experiments.md",  # of the pages beside it
}
"""Groups of entry points, and files that are not in the repository."""

IRREGULAR = (
    "begun bound broken built chosen done drawn driven fallen felt forgotten found frozen "
    "given gone grown heard held hidden kept known laid led left lent lost made meant met "
    "paid said seen sent shown sold sought spent spoken stood sunk taken told thrown torn "
    "understood won worn woven written"
)
NO_PARTICIPLE = "(?!(?:seed|need|feed|speed|exceed|embed)$)"
PARTICIPLE = re.compile(f"{NO_PARTICIPLE}[a-z]+ed|{'|'.join(IRREGULAR.split())}")
"""A name that is one participle and no more; a few words that only end like one are none."""

TERM = re.compile(r"^\| ([^|]+) \| ([^|]+) \| `([\w.]+)` \|$", re.MULTILINE)
"""A row of the glossary: term, sentence, dotted name."""


class TestClasses:
    def test_no_public_class_name_is_defined_in_two_modules(self) -> None:
        ours = ((where, text) for where, text in modules(*PACKAGES) if LIBRARY not in where)
        assert classes_of_one_name(ours) == []

    def test_a_name_that_two_modules_define_is_found_even_inside_a_function(self) -> None:
        texts = [("one.py", "class Plan: ..."), ("two.py", "def f():\n    class Plan: ...")]
        assert classes_of_one_name(texts) == ["Plan: one.py, two.py"]

    def test_private_classes_may_share_their_name(self) -> None:
        texts = [("one.py", "class _Plan: ..."), ("two.py", "class _Plan: ...")]
        assert classes_of_one_name(texts) == []


class TestParticiples:
    ROOMS = ("files", "llm", "memory", "program", "redaction", "stats", "store", "wire")
    """Rooms of `se_agent` that are clean; a room that gets clean is added here."""

    def test_no_public_function_or_method_is_a_lone_participle(self) -> None:
        texts = modules("se_agent")
        rooms = tuple(f"se_agent/{room}/" for room in self.ROOMS)
        clean = (row for row in texts if row[0].startswith(rooms))
        assert list(lone_participles(clean)) == []

    def test_one_that_stands_alone_is_found_also_as_a_method(self) -> None:
        text = "def told(): ...\ndef told_words(): ...\nclass A:\n    def kept(self): ...\n"
        nouns = "def seed(): ...\ndef need(): ...\ndef _told(): ...\n"
        assert list(lone_participles([("one.py", text + nouns)])) == [
            "one.py: told",
            "one.py: A.kept",
        ]


class TestTexts:
    def test_what_not_here_names_exists(self) -> None:
        """Beside the module, further up, or dotted from the top; `a.b` also as an attribute."""
        found = (row for where, text in modules(*CODE) for row in lost_rooms(where, text))
        assert list(found) == []

    def test_not_here_with_an_old_name_is_found(self) -> None:
        text = '"""A part.\n\nNot here: the words (`phrases`, `told`).\n"""'
        assert list(lost_rooms("se_agent/report/words/best.py", text)) == [
            "se_agent/report/words/best.py: told"
        ]

    def test_a_room_is_found_from_below_and_its_attributes_from_everywhere(self) -> None:
        text = '"""A part. Not here: `words.phrases`, `errors.SeAgentError`, `docs/cli.md`."""'
        assert list(lost_rooms("se_agent/report/words/best.py", text)) == []

    def test_every_module_and_path_of_ours_that_a_text_names_exists(self) -> None:
        assert [row for where, text in written() for row in lost_names(where, text)] == []

    def test_modules_and_paths_that_are_gone_are_found(self) -> None:
        text = (
            "See `se_agent.target.look`, se_agent/gone.py and `se_agent.errors.SeAgentError`."
        )
        assert list(lost_names("a.md", text)) == [
            "a.md: se_agent.target.look",
            "a.md: se_agent/gone.py",
        ]

    def test_a_path_that_begins_in_the_middle_is_found(self) -> None:
        text = "See `engine/run/snapshot.py`, `se_agent/errors.py` and `errors.py` beside it."
        assert list(lost_names("a.md", text)) == ["a.md: engine/run/snapshot.py"]


class TestGlossary:
    PAGE = ROOT / "docs" / "glossary.md"

    def test_each_term_stands_there_once_in_a_sentence_and_has_its_name(self) -> None:
        assert list(misprints(text_of(self.PAGE))) == []
        assert len(TERM.findall(text_of(self.PAGE))) > 60

    def test_what_is_wrong_in_a_glossary_is_found(self) -> None:
        lost, known = "`se_agent.values.step.Nothing`", "`se_agent.values.step.Slot`"
        rows = [f"| slot | A place. | {known} |", f"| Slot | A place. | {lost} |"]
        rows += [f"| step | of a run | {known} |", "| event | It happened. | none |"]
        assert list(misprints("\n".join(rows))) == [
            "| event | It happened. | none |: is no row",
            "Slot: stands there twice",
            f"Slot: {lost[1:-1]} does not exist",
            "step: is no sentence",
            f"step: {known[1:-1]} has another term",
        ]


def lone_participles(texts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield each public function and method whose whole name is a participle."""
    for where, text in texts:
        top = tree(text).body
        classes = [node for node in top if isinstance(node, ast.ClassDef)]
        bodies = [("", top)]
        bodies += [(f"{c.name}.", c.body) for c in classes if not c.name.startswith("_")]
        for within, body in bodies:
            for node in body:
                if isinstance(node, ast.FunctionDef) and PARTICIPLE.fullmatch(node.name):
                    yield f"{where}: {within}{node.name}"


def classes_of_one_name(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return each public class name that two modules define, with these modules."""
    places: dict[str, set[str]] = defaultdict(set)
    for where, text in texts:
        for node in parts(text):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(where)
    return [f"{name}: {', '.join(sorted(at))}" for name, at in places.items() if len(at) > 1]


@cache
def files() -> dict[str, str]:
    """Where each module of ours stands, by its dotted name; a package stands in `__init__`."""
    paths = (path.relative_to(ROOT).as_posix() for path in tracked() if path.suffix == ".py")
    return {dotted(path): path for path in paths}


@cache
def places() -> frozenset[str]:
    """Paths of all files and folders of ours."""
    paths = [PurePosixPath(path.relative_to(ROOT).as_posix()) for path in tracked()]
    return frozenset(str(each) for path in paths for each in (path, *path.parents))


def dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def exists(name: str) -> bool:
    """Say whether a dotted name is a module, a folder, or stands in the module before it."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        if module := files().get(".".join(parts[:count])):
            return set(parts[count:]) <= words_of(module)
    return name.replace(".", "/") in places()


@cache
def words_of(path: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text_of(ROOT / path)))


def lost_rooms(where: str, text: str) -> Iterator[str]:
    """Yield what a paragraph "Not here:" names in backticks and nobody finds."""
    here = dotted(where).split(".")
    above = [".".join(here[:count]) for count in range(len(here) + 1)]
    for _, words in described(text) if "Not here:" in text else ():
        _, _, rest = words.partition("Not here:")
        for name in re.findall(r"`([^`\s]+)`", rest.split("\n\n")[0]):
            if name not in places() and not any(
                exists(f"{at}.{name}".lstrip(".")) for at in above
            ):
                yield f"{where}: {name}"


def written() -> Iterator[tuple[str, str]]:
    """Yield docstrings and comments of each module, and each page, with where they stand."""
    for where, text in modules(*CODE):
        comments = re.findall(r"(?:^|\s)#.*", text)
        yield where, "\n".join([*(words for _, words in described(text)), *comments])
    for path in tracked():
        if path.suffix == ".md" and path.name != "CHANGELOG.md":
            yield path.relative_to(ROOT).as_posix(), text_of(path)


def lost_names(where: str, text: str) -> Iterator[str]:
    """Yield each dotted name and each path of ours in a text that nothing has any more."""
    for found in (*DOTTED.finditer(text), *PATH.finditer(text)):
        name = found[0]
        gone = name not in places() if "/" in name else not (exists(name) or is_page(name))
        if gone and name not in ELSEWHERE:
            yield f"{where}: {name}"
    for name in MODULE.findall(text):
        if name not in places() and not PATH.match(name):
            yield f"{where}: {name}"


def is_page(name: str) -> bool:
    """Say whether a name with one dot is that of a page, or of an experiment."""
    suffixes = (".md", ".toml")
    return name.endswith(suffixes) and any(each.endswith(f"/{name}") for each in places())


def misprints(page: str) -> Iterator[str]:
    """Yield what is wrong with a row of the glossary."""
    terms: set[str] = set()
    names: set[str] = set()
    rows = re.findall(r"^\|(?! term |---).*", page, re.MULTILINE)
    yield from (f"{row}: is no row" for row in rows if not TERM.fullmatch(row))
    for term, sentence, name in TERM.findall(page):
        if term.lower() in terms:
            yield f"{term}: stands there twice"
        if not re.fullmatch(r"[A-Z][^.]*\.", sentence):
            yield f"{term}: is no sentence"
        if not is_defined(name):
            yield f"{term}: {name} does not exist"
        if name in names:
            yield f"{term}: {name} has another term"
        terms.add(term.lower())
        names.add(name)


def is_defined(name: str) -> bool:
    """Say whether a dotted name is a module, or what a module or a class of it defines."""
    parts = name.split(".")
    at = next((n for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in files()), 0)
    if not at:
        return False
    text = text_of(ROOT / files()[".".join(parts[:at])])
    defined = r"^\s*(?:class |def )?{}\b\s*[:=(]"
    return all(re.search(defined.format(part), text, re.MULTILINE) for part in parts[at:])
