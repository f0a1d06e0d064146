"""Languages that programs are written in.

Not here: how programs are compiled and run (`evaluators.languages`).
"""

from __future__ import annotations

import enum


class Language(enum.StrEnum):
    """What programs are written in. How they are run is the evaluators' table."""

    PYTHON = "python"
    CPP = "cpp"
    C = "c"
    RUST = "rust"
    GO = "go"
    JAVA = "java"
    JAVASCRIPT = "javascript"

    @property
    def needs(self) -> tuple[str, ...]:
        """What its programs need besides computing, whatever a problem says.

        A run time of its own has threads and files; it has no children.
        """
        hosted = (Language.GO, Language.JAVA, Language.JAVASCRIPT)
        return ("threads", "files") if self in hosted else ()

    @property
    def suffix(self) -> str:
        """End of the name of a source file, such as `.cpp`."""
        return {
            Language.PYTHON: ".py",
            Language.RUST: ".rs",
            Language.JAVASCRIPT: ".js",
        }.get(self, f".{self.value}")
