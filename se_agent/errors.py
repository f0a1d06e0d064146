"""Every error a user can meet, in one tree.

* SeAgentError
  - ConfigError           the run file is wrong; nothing was spent
    - SmallBudgetError    a time limit is too small for the run to begin
  - ProblemError          the problem folder or file cannot be used as it stands
    - NotMeasurableError  it has no inputs to measure with, or waits
    - TooSmallError       its inputs take too little time to be told apart
    - UncallableError     plain data is not enough to call what was named by itself
  - UnknownPluginError    a name in the run file has no plug-in
  - HiddenPackageError    a folder of the user's hides a package of ours
  - IsolationError        this machine cannot give the isolation that was asked for
  - SandboxError          the sandbox itself broke; no candidate is to blame
  - RecordEndsError       a replay can go no further: the run broke off there
    - UnfinishedError     a replay has come to what time ran out for
  - JournalError          this run folder cannot be read or written
    - FoldError           a package that a run follows its events with has a fault
  - MemoryFileError       what earlier runs learned cannot be read or written
    - ArtifactError       an output that is kept whole cannot be read or written
  - GraphError            the knowledge graph lacks what is asked of it
  - EmbedderError         texts cannot be turned into vectors, or not into those of an index
  - PackError             a pack of static knowledge cannot be used as it stands
  - WireError             a value cannot cross the pipe
  - ModelError            the endpoint gave no reply; what was paid for is saved
    - TooLongError        it refuses this prompt as too long, and may take another one
  - ReplyError            a reply cannot be used as it is; the model is told, once

Not errors: a candidate that fails (see `Status`), and a budget that ends (a normal end).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class SeAgentError(Exception):
    """Base class. `str(error)` is the message; `hint` is the next thing to do.

    `said` has the lines of a tool, such as a compiler, that the message is the first of.
    """

    def __init__(self, message: str, *, hint: str = "", said: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        self.said = said


class ConfigError(SeAgentError, ValueError):
    """The run file, or a value given on the command line, cannot be used as it stands."""


class SmallBudgetError(ConfigError):
    """A time limit is too small for the check, or for self-test and confirmation."""


class ProblemError(SeAgentError, ValueError):
    """The problem is missing, broken, or cannot be measured."""


class NotMeasurableError(ProblemError):
    """The problem leaves nothing to measure with, or nothing to confirm with, or waits."""


class TooSmallError(ProblemError):
    """The initial program is done with its inputs too soon to be measured."""


class UncallableError(ProblemError):
    """It takes more than plain data to call this by itself; a workload of the user's can."""


class UnknownPluginError(SeAgentError, LookupError):
    """No plug-in of this kind is registered under this name."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        super().__init__(
            f"unknown {kind} {name!r}",
            hint=did_you_mean(name, names) or f"known: {', '.join(names) or 'none'}",
        )


class HiddenPackageError(SeAgentError, ImportError):
    """Python found another package under the name of one of ours."""


class IsolationError(SeAgentError, OSError):
    """A kernel feature that the chosen isolation level needs is missing."""


class SandboxError(SeAgentError, RuntimeError):
    """The fork server died or spoke out of turn."""


class RecordEndsError(SeAgentError):
    """The run broke off here; a replay can go no further."""


class UnfinishedError(RecordEndsError):
    """A replay has come to what the record has no more of: time had run out."""


class JournalError(SeAgentError):
    """Not a journal, written by a newer version, locked, or on a full disk."""


class FoldError(JournalError):
    """A fold or a memory tier of a package failed: the state goes no further than here.

    What is on record stays, this failure with it, and the run goes on from there once the
    package is mended, or without it. So it ends a run as a journal does that cannot be written.
    """


class MemoryFileError(SeAgentError):
    """The file of what earlier runs learned cannot be used; a run goes on without it."""


class ArtifactError(MemoryFileError):
    """An output that is kept whole cannot be read or written; its preview is on record."""


class GraphError(SeAgentError, LookupError):
    """The knowledge graph has no entity of a name that something is to be said of."""


class EmbedderError(SeAgentError, ValueError):
    """No vector can be had of a text, or it cannot be compared with those that are kept."""


class PackError(SeAgentError, ValueError):
    """A pack of knowledge lacks something, or a file of it cannot be used; a run needs none."""


class WireError(SeAgentError, TypeError):
    """A value has no typed-JSON form, or a text is not typed JSON; `path` says where."""

    def __init__(self, message: str, *, path: str = "$", hint: str = "") -> None:
        super().__init__(f"{path}: {message}", hint=hint)
        self.path = path


class ModelError(SeAgentError):
    """The model could not be reached, or refused; `fatal`: the next call will fail as well.

    `lost` has the replies of attempts that the endpoint may bill (`chat.messages.Reply`).
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        fatal: bool = False,
        lost: Iterable[Any] = (),  # `chat.messages.Reply`, which stands above this floor
    ) -> None:
        super().__init__(message, hint=hint)
        self.fatal = fatal
        self.lost = tuple(lost)


class TooLongError(ModelError):
    """The prompt, or the prompt with its reply, is longer than the endpoint takes."""


class ReplyError(SeAgentError):
    """A reply is not what was asked for; the message is written for the model."""


_NEAR = 0.75  # `sede` is as near as that to `seed`, and `total` not to `local`
_NAMED = 8  # names that a hint tells


def reason(err: Exception) -> str:
    """Return why something failed: what the system says without its number and the path."""
    return getattr(err, "strerror", None) or str(err)


@contextmanager
def blame(part: str) -> Iterator[None]:
    """Say in two lines that code of a package has failed, not a run's record or its program.

    Args:
        part: What the package brings, such as `fold 'gains'`.

    Raises:
        FoldError: What is done within has raised anything.
    """
    try:
        yield
    except SeAgentError:
        raise
    except Exception as err:
        from traceback import format_exception  # takes as long to load as this module

        raise FoldError(
            f"{part} failed: {type(err).__name__}: {err}",
            hint="mend the package that brings it, or resume the run without it: "
            "`--set folds=...`, `--set memory.tiers=...`",
            said=format_exception(err)[-2].strip("\n"),  # the line where it failed
        ) from err


def place_of(loc: Iterable[str | int]) -> str:
    """Return where in a value an error lies, such as `inputs.sizes[0]`."""
    return "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in loc).lstrip(".")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the hint for a name that was mistyped, or nothing."""
    return meant_hint(nearest(name, known))


def defined_hint(name: str, known: Sequence[str], what: str = "it") -> str:
    """Return the hint for a name that is not defined: what was meant, or what is defined.

    Args:
        name: The name that was asked for.
        known: Those that there are; of many the first ones are told.
        what: What defines them.
    """
    more = len(known) - _NAMED
    told = (*known[:_NAMED], *([f"and {more} more"] if more > 0 else ()))
    return did_you_mean(name, known) or f"{what} defines {', '.join(told) or 'nothing'}"


def meant_hint(name: str) -> str:
    """Return the hint that names what was meant, or nothing for no name."""
    return f"did you mean {name!r}?" if name else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that a mistyped one is near to, or nothing."""
    import difflib  # needed when something went wrong, and slower to import than all else here

    return next(iter(difflib.get_close_matches(name, sorted(known), n=1, cutoff=_NEAR)), "")
