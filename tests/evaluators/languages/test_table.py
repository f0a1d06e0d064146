"""What the table says of a program, without running anything."""

from __future__ import annotations

import pytest

from evaluators.languages.table import TABLE
from se_agent.program.language import Language

CPP = TABLE[Language.CPP]


def test_every_language_has_a_row() -> None:
    assert set(TABLE) == set(Language)


def test_a_program_asks_for_flags_in_its_first_line() -> None:
    assert CPP.asked("// flags: -O3  -fwhole-program\nint main() {}\n") == (
        "-O3",
        "-fwhole-program",
    )


@pytest.mark.parametrize(
    "text",
    ["int main() {}\n// flags: -O3\n", 'char s[] = "// flags: -O3";', "// flag: -O3\n", ""],
)
def test_nothing_else_asks_for_flags(text: str) -> None:
    assert CPP.asked(text) == ()
    assert CPP.nothing(text) == CPP.empty


def test_the_empty_program_asks_for_the_same_flags() -> None:
    nothing = CPP.nothing("// flags: -O3\nint main() { return f(); }\n")
    assert nothing == "// flags: -O3\nint main() {}\n"


def test_what_a_program_asks_for_comes_last_so_that_it_counts() -> None:
    command = CPP.command("/usr/bin/g++", ["-O3"], "main.cpp")
    assert command.index("-O2") < command.index("-O3")
    assert command[0] == "/usr/bin/g++"
    assert command[-4:] == ("-c", "-o", "out/main.o", "main.cpp")
    linking = CPP.linking("/usr/bin/g++", ["-O3"], "place.s", "main.o")
    assert linking.index("-O2") < linking.index("-O3")
    assert linking[0] == "/usr/bin/g++"
    assert linking[-4:] == ("-o", "out/main", "place.s", "main.o")


def test_python_does_nothing_in_a_word() -> None:
    assert TABLE[Language.PYTHON].nothing("// flags: -O3\n") == "pass"


def test_no_flag_that_is_allowed_names_a_file() -> None:
    for row in TABLE.values():
        for flag in row.flags:
            assert not set(flag) & set("/@,"), flag
            assert "=" not in flag or flag.partition("=")[0] in {
                "-march", "-mtune", "-std", "-Copt-level", "-Ctarget-cpu", "-Ccodegen-units",
                "-Cpanic", "-Coverflow-checks",
            }, flag  # fmt: skip
