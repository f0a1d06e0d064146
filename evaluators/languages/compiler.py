"""A compiler in a jail: source text in, a program or the first errors out.

The compiler reads its own files and the system's headers, and writes to one fresh folder. It
is ended with all that it started. Not here: which command it is (`table`, `tool`).
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluators.languages.packing import packed
from evaluators.languages.placing import PLACES, loosened, room_before
from evaluators.languages.table import TABLE, Product
from evaluators.languages.tool import installed, read_by
from evaluators.sandbox.ends import ends_of_file
from evaluators.sandbox.folder import fresh_folder
from evaluators.sandbox.tools.confined_process import Order, enclosed
from se_agent.errors import ProblemError
from se_agent.program.language import Language
from se_agent.values.evaluation import MOST_OUTPUT

_FILE = 64 << 20
_OBJECTS, _SMALL = 16, 1 << 20  # kept to be linked again, and their bytes at most
_LINES, _LONGEST = 12, 1500  # of it that are told
_ERROR = re.compile(r"\berror\b|undefined reference|multiple definition", re.IGNORECASE)
_INNER = re.compile(r"\s+at |Node\.js v")  # where the tool itself was, when it met the error
_FOLDERS = re.compile(r"(?:/[^/\s:'\"<>]+)+/")
_MEND = "mend it or install another one; `se-agent doctor` lists what works"
_PARTS = ("bin", "conf", "include", "lib", "lib64", "libexec", "share")
_SYSTEM = ("/usr/include", "/usr/local/include", "/usr/libexec", "/etc/ld.so.cache")


@dataclass(frozen=True)
class Made:
    """What became of a source text: a program, or why there is none.

    Attributes:
        program: Empty: there is none.
        feedback: Why there is none.
        late: Whether time decided that: another attempt may end otherwise.
        full_output: All that the compiler said, where the feedback is cut.
    """

    program: bytes = b""
    feedback: str = ""
    late: bool = False
    full_output: str = ""


@dataclass
class Compiler:
    """Compiles programs of one language.

    Attributes:
        language: Language of the programs.
        isolation: Level of the sandbox; under `none` only time, memory and sizes are limited.
        flags: What all programs are compiled with, whatever they name in their first line, so
            that one is compared with another by its source; None: each with its own.
        seconds: CPU seconds that a compilation may take.
        spent: CPU seconds of all compilations so far.
    """

    language: Language
    isolation: str
    flags: tuple[str, ...] | None = None
    seconds: float = 30.0
    spent: float = 0.0
    _stopped: threading.Event = field(default_factory=threading.Event)
    _objects: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    _obeyed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._table = TABLE[self.language]
        found = installed(self.language)
        if found is None:
            raise ProblemError(
                f"no compiler for {self.language} is installed here: "
                f"{' or '.join(self._table.tools)}",
                hint="install one; `se-agent doctor` lists the languages of this machine",
            )
        if found.trouble:
            first, *others = found.trouble.splitlines()
            raise ProblemError(
                f"the compiler for {self.language} does not work here: {found.path}: {first}",
                hint=others[-1].removeprefix("help: ") if others else _MEND,
            )
        self._tool = found

    def command(self, program: str) -> tuple[str, ...]:
        """Return the command for a text; it runs in a folder of its own."""
        return self._table.command(self._tool.path, self._asked(program), self._source)

    def obey(self, program: str) -> None:
        """Compile this text with the flags that it names itself."""
        self._obeyed.add(program)

    def _asked(self, program: str) -> tuple[str, ...]:
        own = self.flags is None or program in self._obeyed
        return self._table.asked(program) if own else self.flags or ()

    @property
    def _source(self) -> str:
        return f"{self._table.source}{self.language.suffix}"

    @property
    def version(self) -> str:
        """Version of the compiler."""
        return self._tool.version

    @property
    def places(self) -> int:
        """How many there are for a program; 1 where its tool alone decides where code lies."""
        return PLACES if self._table.product is Product.OBJECT else 1

    def stop(self) -> None:
        """End what is under way, from any thread, and compile nothing any more."""
        self._stopped.set()

    def make(self, program: str, place: int = 0) -> Made:
        """Compile a text; what is wrong with it is a value.

        Args:
            program: The text.
            place: One of `places`: where its code lies.
        """
        foreign = [f for f in self._table.asked(program) if f not in self._table.flags]
        if foreign:
            allowed = " ".join(sorted(self._table.flags))
            told = f"flag {foreign[0]!r} is not allowed in the first line; allowed: {allowed}"
            return Made(feedback=told)
        source = {self._source: program.encode("utf-8", "surrogateescape")}
        if self._table.product is not Product.OBJECT:
            return self._ended(self.command(program), source, self._table.product)
        made = self._object(program, source)
        if not made.program:
            return made
        parts = {"place.s": room_before(place), "main.o": loosened(made.program)}
        linking = self._table.linking(self._tool.path, self._asked(program), *parts)
        return self._ended(linking, parts, Product.PROGRAM)

    def _object(self, program: str, source: Mapping[str, bytes]) -> Made:
        """Compile a text, unless it was compiled for another place lately."""
        if program in self._objects:
            self._objects.move_to_end(program)
            return Made(program=self._objects[program])
        made = self._ended(self.command(program), source, Product.OBJECT)
        if 0 < len(made.program) <= _SMALL:
            self._objects[program] = made.program
            if len(self._objects) > _OBJECTS:
                self._objects.popitem(last=False)
        return made

    def _ended(
        self, command: Sequence[str], files: Mapping[str, bytes], product: Product
    ) -> Made:
        """Run a command among these files, and return what came of it."""
        with fresh_folder() as folder:
            (folder / "scratch" / "out").mkdir(parents=True)
            for name, content in files.items():
                (folder / "scratch" / name).write_bytes(content)
            order = self._order(folder, command)
            ended = enclosed(order, folder / "out", folder / "err", self._stopped)
            self.spent += ended.cpu_seconds
            whole = _lines_of(folder / "err") or _lines_of(folder / "out")
            said = _told(whole)
            if ended.code == 0:
                try:
                    made = _left(folder / "scratch", product, files)
                except ValueError as err:
                    made, said = b"", str(err)
                if made:
                    return Made(program=made)
        # One of its processes may have met the limit: what it says then is that it was killed.
        late = ended.late or ended.cpu_seconds >= self.seconds
        if late:
            said = f"the compiler was stopped: it takes more than {self.seconds:g} s"
        told = said or f"the compiler ended with {ended.code}"
        full = "\n".join(whole).strip()
        return Made(feedback=told, late=late, full_output=full if len(full) > len(said) else "")

    def _order(self, folder: Path, command: Sequence[str]) -> Order:
        home = Path(self._tool.home)
        scratch = folder / "scratch"
        usual = {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TMPDIR": str(scratch)}
        more = {name: text.format(scratch=scratch) for name, text in self._table.variables}
        linked = read_by(self.language, self._tool)
        return Order(
            command=command,
            isolation=self.isolation,
            folder=scratch,
            scratch=scratch,
            readable=[*_SYSTEM, *(str(home / part) for part in _PARTS), *linked],
            environment=usual | more,
            cpu_seconds=self.seconds,
            memory_bytes=self._table.memory_bytes,
            file_bytes=_FILE,
        )


def _left(scratch: Path, product: Product, files: Mapping[str, bytes]) -> bytes:
    """Return what came of files, or nothing; a ValueError says why nothing did."""
    if product is Product.NOTHING:
        (text,) = files.values()
        return text or b"\n"
    made = scratch / product.value
    if product is Product.CLASSES:
        return packed(made, _FILE)
    return made.read_bytes() if made.is_file() else b""


def _lines_of(output: Path) -> list[str]:
    """Return what a compiler printed, without the folders of paths."""
    text = ends_of_file(output, MOST_OUTPUT)
    return [
        _FOLDERS.sub("", line).rstrip() for line in text.splitlines() if not _INNER.match(line)
    ]


def _told(lines: Sequence[str]) -> str:
    """Return the first errors among the lines of a compiler."""
    first = next((n for n, line in enumerate(lines) if _ERROR.search(line)), 0)
    return "\n".join(lines[first : first + _LINES]).strip()[:_LONGEST]
