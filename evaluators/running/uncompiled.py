"""The error of an initial program that does not compile: the compiler's own lines, and a hint.

Not here: compiling (`languages`), nor candidates that do not compile, which are data.
"""

from __future__ import annotations

import re
from pathlib import Path

from evaluators.languages.table import TABLE
from evaluators.languages.tool import installed
from evaluators.running.shown import one_line
from se_agent.errors import ProblemError
from se_agent.problem.model import Problem
from se_agent.program.language import Language


def uncompiled(problem: Problem, text: str, feedback: str) -> ProblemError:
    """Return the error, with places in the program by the name that its author gave it.

    Args:
        problem: The problem that has this initial program.
        text: Text of the program.
        feedback: What the compiler said; its first line is the first error.
    """
    name, language = _file(problem, text), problem.language
    compiled_as = f"{TABLE[language].source}{language.suffix}"
    said = re.sub(rf"\b{re.escape(compiled_as)}\b", name, feedback).splitlines()
    first, *others = said or [""]
    return ProblemError(
        f"the initial program of {problem.name!r} does not compile: {one_line(first)}",
        hint=f"correct {name}{_way(language)}",
        said="\n".join(others),
    )


def _file(problem: Problem, text: str) -> str:
    """Return the file of a program, which a problem knows by its name without the end."""
    known = (name for name, program in problem.programs.items() if program == text)
    return f"{next(known, 'initial')}{problem.language.suffix}"


def _way(language: Language) -> str:
    """Say how a program is compiled, so that its author can do the same."""
    tool, row = installed(language), TABLE[language]
    if tool is None or not row.tools:
        return ""
    # What javac is told of its own machine is of no use to the author.
    options = (option for option in row.options if not option.startswith("-J"))
    command = " ".join((Path(tool.path).name, *options, *row.last))
    return f"; it is compiled alone, by `{command}`"
