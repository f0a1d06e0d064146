"""Streams of C++ alone: no synchronising with C's, no flushing of output before each input."""

from __future__ import annotations

from collections.abc import Iterator

from operators.cpp.rule import TextRule, TokenChange
from se_agent.program.clike.functions import functions
from se_agent.program.clike.tokens import SourceText

_STREAMS = {"cin", "cout"}
_OF_C = {
    "printf", "scanf", "getchar", "putchar", "puts", "gets", "fgets", "fputs", "fread",
    "fwrite", "getchar_unlocked", "putchar_unlocked", "stdin", "stdout", "sync_with_stdio",
}  # fmt: skip


class FastIo(TextRule):
    """Switch the synchronising of streams off at the begin of `main`."""

    name = "fast_io"

    def changes(self, source: SourceText) -> Iterator[TokenChange]:
        """Yield the change of a program that uses streams, and nothing of C besides."""
        words = {token.text for token in source.tokens}
        if not words & _STREAMS or words & _OF_C:
            return
        for function in functions(source):
            if function.name == "main":
                brace = source.tokens[function.body]
                indent = source.indentation(function.body + 1)
                lines = ("std::ios_base::sync_with_stdio(false);", "std::cin.tie(nullptr);")
                new = "".join(f"\n{indent or '    '}{line}" for line in lines)
                yield TokenChange(
                    anchor=(source.tokens[function.parameters - 1].start, brace.end),
                    spans=((brace.end, brace.end, new),),
                    direction="Switch off the synchronising of C++ streams with C's",
                    effect="reading and writing go through the streams' own buffers",
                )
