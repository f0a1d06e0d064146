"""Another set of compiler flags, named in the first line of the program: `// flags: -O3`.

Programs are compared at the flags of their problem: what others gain is measured beside the
claim. So this is used only where it is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from operators.cpp.rule import TextRule, TokenChange
from se_agent.program.clike.tokens import SourceText

_LINE = re.compile(r"// flags:([^\n]*)\n?")
_CHOICES = (
    "-O3 -march=native",
    "-O3",
    "-O3 -march=native -funroll-loops",
    "-O3 -march=native -fwhole-program",
    "-O2 -march=native",
    "-Os",
)
_TUNED = re.compile(r"-O\w+|-march=native|-mtune=native|-fwhole-program|-funroll-loops")


class CompilerFlags(TextRule):
    """Compile with other flags: how hard to optimise, and for which machine."""

    name = "compiler_flags"
    by_default = False

    def changes(self, source: SourceText) -> Iterator[TokenChange]:
        """Yield every choice but the present one; other flags of the program stay."""
        line = _LINE.match(source.text)
        given = line[1].split() if line else []
        kept = [flag for flag in given if not _TUNED.fullmatch(flag)]
        end = line.end() if line else 0
        for choice in _CHOICES if source.tokens else ():
            if [*kept, *choice.split()] != given:
                flags = " ".join([*kept, choice])
                yield TokenChange(
                    anchor=(0, end),
                    spans=((0, end, f"// flags: {flags}\n"),),
                    direction=f"Compile with {choice}",
                    effect="the compiler unrolls, vectorises or inlines more, or less",
                    parameters=(("flags", choice),),
                )
