"""Compilers in their jail: what they say, what they may read, when they are stopped."""

from __future__ import annotations

import re
import threading

import pytest

from evaluators.languages.compiler import Compiler
from evaluators.languages.table import TABLE
from evaluators.languages.tool import installed
from se_agent.errors import ProblemError
from se_agent.program.language import Language

pytestmark = pytest.mark.skipif(installed(Language.CPP) is None, reason="no compiler for C++")
EMPTY = "int main() {}\n"
LOOP = "constexpr long f(long n) { for (int i = 0; i < 250000; ++i) n ^= i; return n; }\n"
LONG = LOOP + "".join(f"static_assert(f({n}) != 1);\n" for n in range(2, 3000))
"""It takes a compiler minutes."""

SECRETS = ("/etc/passwd", "/proc/self/environ", "/proc/self/cmdline", "/etc/hostname")


@pytest.fixture(scope="module")
def cpp() -> Compiler:
    return Compiler(Language.CPP, "jail")


def test_a_program_is_made(cpp: Compiler) -> None:
    before = cpp.spent
    made = cpp.make(EMPTY)
    assert made.program.startswith(b"\x7fELF")
    assert made.feedback == ""
    assert cpp.spent > before


def test_the_first_errors_are_told_by_the_name_of_the_file(cpp: Compiler) -> None:
    made = cpp.make("int main() { return x; }\nint f() { return y; }\n")
    assert made.program == b""
    first, *_ = made.feedback.splitlines()
    assert first.startswith("main.cpp:1:21: error:")
    assert "x" in first
    assert len(made.feedback) <= 1500


def test_errors_of_the_linker_say_what_is_missing(cpp: Compiler) -> None:
    assert "f()" in cpp.make("int f();\nint main() { return f(); }\n").feedback


def test_no_folder_of_this_machine_is_told(cpp: Compiler) -> None:
    made = cpp.make('#include <vector>\nint main() { std::vector<int> v("x", 3); }\n')
    assert made.feedback
    assert "/" not in made.feedback


@pytest.mark.parametrize("path", SECRETS)
@pytest.mark.parametrize(
    "text",
    ['#include "{}"\nint main() {{}}\n', '__asm__(".incbin \\"{}\\"");\nint main() {{}}\n'],
    ids=["include", "incbin"],
)
def test_files_of_the_machine_cannot_be_read(cpp: Compiler, text: str, path: str) -> None:
    made = cpp.make(text.format(path))
    assert made.program == b""
    assert "Permission denied" in made.feedback or "not found" in made.feedback
    assert "root" not in made.feedback


def test_an_endless_file_is_the_end_of_the_compiler_only(cpp: Compiler) -> None:
    made = cpp.make('#include "/dev/zero"\nint main() {}\n')
    assert made.program == b""
    assert made.feedback


def test_a_program_that_is_too_large_is_none(cpp: Compiler) -> None:
    assert cpp.make("int x[100000000] = {1};\nint main() {}\n").program == b""


@pytest.mark.parametrize("flag", ["-fplugin=x.so", "-o", "@main.cpp", "-I/etc", "-E", "-pg"])
def test_flags_that_are_not_allowed_are_told(cpp: Compiler, flag: str) -> None:
    made = cpp.make(f"// flags: -O3 {flag}\n{EMPTY}")
    assert made.feedback.startswith(
        f"flag {flag!r} is not allowed in the first line; allowed: "
    )


def test_flags_count(cpp: Compiler) -> None:
    text = "#ifndef __OPTIMIZE__\n#error not optimised\n#endif\n" + EMPTY
    assert cpp.make(text).program
    assert "not optimised" in cpp.make(f"// flags: -O0\n{text}").feedback


def test_it_can_be_stopped_by_another_thread() -> None:
    compiler = Compiler(Language.CPP, "jail")
    timer = threading.Timer(0.3, compiler.stop)
    timer.start()
    made = compiler.make(LONG + EMPTY)
    timer.join()
    assert made.program == b""
    assert "the compiler was stopped" in made.feedback
    assert made.late


def test_what_time_decides_is_told_from_what_is_wrong_with_the_text(cpp: Compiler) -> None:
    made = Compiler(Language.CPP, "jail", seconds=1.0).make(LONG + EMPTY)
    assert (made.program, made.late) == (b"", True)
    assert made.feedback == "the compiler was stopped: it takes more than 1 s"
    assert not cpp.make("int main() { return x; }\n").late


def test_other_compiled_languages() -> None:
    programs = {
        Language.C: "#include <math.h>\nint main(int n, char **v) { return (int)sqrt(n); }\n",
        Language.RUST: 'fn main() { println!("x"); }\n',
    }
    for language, text in programs.items():
        if installed(language) is not None:
            assert Compiler(language, "jail").make(text).program.startswith(b"\x7fELF")
            assert "main" in Compiler(language, "jail").make(text + "?").feedback


def test_a_language_without_a_compiler_is_refused_in_two_lines() -> None:
    missing = [one for one, row in TABLE.items() if row.tools and installed(one) is None]
    if not missing:
        pytest.skip("all of them are installed here")
    words = f"no compiler for {missing[0]} is installed here: {TABLE[missing[0]].tools[0]}"
    with pytest.raises(ProblemError, match=re.escape(words)) as caught:
        Compiler(missing[0], "jail")
    assert "doctor" in caught.value.hint
