"""The languages: what compiles a program, with which flags, and what an empty one looks like.

Data, and what can be read off it. Not here: running a compiler (`compiler`), keeping what it
made (`binaries`), what executes programs (`hosts`), nor the names of the languages
(`se_agent.problem.model`).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from se_agent.program.language import Language

FLAGS = "// flags:"
"""Begins the first line of a program that names its flags."""

_FLAGS = re.compile(rf"{FLAGS}(.*)")


class Product(enum.Enum):
    """What a tool leaves when it is done, and what is kept of it."""

    PROGRAM = "out/main"  # a program in one file
    OBJECT = "out/main.o"  # the same, still to be linked: it can lie at any byte
    CLASSES = "out"  # a folder of classes, which are packed into one file
    NOTHING = ""  # it only checks: the text itself is the program


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """How programs of one language are made to run.

    Attributes:
        tools: Names of programs that will do, the first that is installed is taken.
        asked_version: Word that makes such a program tell its version.
        source: Name of the file that the text is put into, without its end.
        options: Options of every compilation; what a program asks for comes after them.
        into: Options that say where the product goes; behind those of the program.
        last: Options that have to stand behind the name of the source.
        product: What comes of it.
        linked: Links in the tool's home, relative, that lead out of it to what it reads.
        variables: Environment besides the usual one; `{scratch}` is a folder to write to.
        memory_bytes: Address space of each process of a compilation.
        flags: What a program may ask for.
        tried: Those of the flags that may make a program faster that is right without them.
        empty: A program that does nothing.
    """

    tools: tuple[str, ...]
    asked_version: str = "--version"
    source: str = "main"
    options: tuple[str, ...] = ()
    into: tuple[str, ...] = ("-o", "out/main")
    last: tuple[str, ...] = ()
    product: Product = Product.PROGRAM
    linked: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    memory_bytes: int = 2 << 30
    flags: frozenset[str] = frozenset()
    tried: tuple[str, ...] = ()
    empty: str = ""

    def asked(self, program: str) -> tuple[str, ...]:
        """Return the flags of a program: the words behind `// flags:` in its first line."""
        found = _FLAGS.match(program) if self.flags else None
        return tuple(found[1].split()) if found else ()

    def nothing(self, program: str) -> str:
        """Return the empty program, compiled as `program` is."""
        asked = " ".join(self.asked(program))
        return f"// flags: {asked}\n{self.empty}" if asked else self.empty

    def command(self, tool: str, asked: Sequence[str], source: str) -> tuple[str, ...]:
        """Return the command that makes the product of a file `source`, with flags."""
        return (tool, *self.options, *asked, *self.into, source, *self.last)

    def linking(self, tool: str, asked: Sequence[str], *objects: str) -> tuple[str, ...]:
        """Return the command that makes a program of an object and what lies before it."""
        return (tool, *self.options, *asked, "-o", Product.PROGRAM.value, *objects, *self.last)


_GNU = frozenset(
    {
        "-O0", "-O1", "-O2", "-O3", "-Os", "-Ofast", "-march=native", "-mtune=native",
        "-fwhole-program", "-ffast-math", "-fno-exceptions", "-fno-math-errno", "-fno-plt",
        "-fno-rtti", "-fno-trapping-math", "-fomit-frame-pointer", "-fprefetch-loop-arrays",
        "-fstrict-aliasing", "-ftree-vectorize", "-funroll-loops", "-fwrapv",
    }
)  # fmt: skip
_FASTER = ("-O3", "-march=native")
_STATIC = ("-static", "-s", "-pipe")
_ANYWHERE = tuple(f"-fno-align-{what}" for what in ("functions", "jumps", "labels", "loops"))
_TO_AN_OBJECT = ("-c", "-o", Product.OBJECT.value)

TABLE: Mapping[Language, Toolchain] = {
    Language.PYTHON: Toolchain(tools=(), empty="pass"),
    Language.CPP: Toolchain(
        tools=("g++", "clang++"),
        options=("-std=gnu++20", "-O2", *_STATIC, *_ANYWHERE),
        into=_TO_AN_OBJECT,
        product=Product.OBJECT,
        tried=_FASTER,
        flags=_GNU | {f"-std=gnu++{year}" for year in (11, 14, 17, 20)},
        empty="int main() {}\n",
    ),
    Language.C: Toolchain(
        tools=("gcc", "clang"),
        options=("-std=gnu17", "-O2", *_STATIC, *_ANYWHERE),
        into=_TO_AN_OBJECT,
        last=("-lm",),
        product=Product.OBJECT,
        tried=_FASTER,
        flags=_GNU | {f"-std=gnu{year}" for year in (99, 11, 17)},
        empty="int main(void) { return 0; }\n",
    ),
    Language.RUST: Toolchain(
        tools=("rustc",),
        options=(
            "--edition=2021",
            "-Copt-level=2",
            "-Ctarget-feature=+crt-static",
            "-Cstrip=symbols",
        ),
        flags=frozenset(
            {
                "-Copt-level=3",
                "-Ctarget-cpu=native",
                "-Clto",
                "-Ccodegen-units=1",
                "-Cpanic=abort",
                "-Coverflow-checks=no",
            }
        ),
        tried=("-Copt-level=3", "-Ctarget-cpu=native"),
        empty="fn main() {}\n",
    ),
    Language.GO: Toolchain(
        tools=("go",),
        asked_version="version",
        options=("build", "-ldflags=-s -w"),
        linked=("src", "pkg/include"),
        variables=(
            ("CGO_ENABLED", "0"),
            ("GO111MODULE", "off"),
            ("GOCACHE", "{scratch}/cache"),
            ("GOFLAGS", "-gcflags=-trimpath={scratch}"),  # of the program, not of the library
            ("GOPATH", "{scratch}/go"),
            ("GOPROXY", "off"),
            ("GOTOOLCHAIN", "local"),
            ("HOME", "{scratch}"),
        ),
        memory_bytes=16 << 30,
        empty="package main\n\nfunc main() {}\n",
    ),
    Language.JAVA: Toolchain(
        tools=("javac",),
        source="Main",
        options=(
            *("-J-Xmx768m", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData"),
            *("-J-XX:TieredStopAtLevel=1", "-proc:none", "-nowarn", "-encoding", "UTF-8"),
        ),
        into=("-d", "out"),
        product=Product.CLASSES,
        linked=("lib/jvm.cfg", "conf/security/java.security"),
        memory_bytes=16 << 30,
        empty="public class Main {\n    public static void main(String[] words) {}\n}\n",
    ),
    Language.JAVASCRIPT: Toolchain(
        tools=("node",),
        options=("--check",),
        into=(),
        product=Product.NOTHING,
        variables=(("OPENSSL_CONF", "/dev/null"),),  # its own file may not be read, an error
        memory_bytes=16 << 30,
        empty="// nothing\n",
    ),
}
"""Programs are linked statically where that can be: to execute one, nothing has to be readable.
What executes the others is `hosts`."""
