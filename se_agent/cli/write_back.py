"""What `optimize` was asked to do with the user's file, kept in the folder of its run.

Not here: how the file is changed (`user_function.change`), and when (`conclusion`).
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from se_agent.errors import JournalError, ProblemError, reason
from se_agent.files.run_files import content, replace_whole
from se_agent.program.editable import names_of
from se_agent.user_function.change import FileChange, holds
from se_agent.values.solution import Solution

_FILE = "target.json"


class AimedFile(BaseModel):
    """A further file of the user's that a run may change.

    Attributes:
        path: Absolute path of the file.
        name: Its path in the programs of the run.
        text: Text of the file, as it was read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path
    name: str
    text: str


class Aim(BaseModel):
    """What a run of `optimize` was asked to do with the user's files.

    Attributes:
        path: Absolute path of the file, or of the first one.
        function: What may change, see `program.editable`; empty in runs of before.
        text: Text of the file, as it was read.
        more: The other files.
        write: Whether to change them if a gain is proven.
        folder: Absolute path of the run. A copy of the run, from elsewhere perhaps, changes no
            file.
        written: Whether that was done.
        accepted: Doubts, by name, in spite of which it is to be done.
        advise: Words of the command that says what else takes time; none: there is no workload.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path
    function: str = ""
    text: str
    more: tuple[AimedFile, ...] = ()
    write: bool
    folder: Path
    written: bool = False
    accepted: tuple[str, ...] = ()
    advise: tuple[str, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether files are to be changed, and one is not what it was when it was read."""
        texts = ((self.path, self.text), *((one.path, one.text) for one in self.more))
        return self.write and not (self.written or all(holds(*each) for each in texts))

    @property
    def called(self) -> str:
        """The function whose answers are compared; empty where a workload's are."""
        names = names_of(self.function)
        return names[0] if names and not self.advise else ""

    @property
    def names(self) -> str:
        """What the files are called."""
        return ", ".join(path.name for path in (self.path, *(one.path for one in self.more)))

    def changes(self, best: Solution) -> tuple[FileChange, ...]:
        """Return what a program changes, file by file."""
        more = {one.name: one for one in self.more}
        found = []
        for name, new in best.files.items():
            one = more.get(name, self)
            found.append(FileChange(one.path, one.text, new))
        return tuple(change for change in found if change.old != change.new)

    def keep(self) -> None:
        """Put it into the run's folder, whole or not at all."""
        replace_whole(self.folder / _FILE, self.model_dump_json().encode())


def require_text(*paths: Path) -> None:
    """See that paths can be written down.

    Raises:
        ProblemError: One is not UTF-8.
    """
    for path in paths:
        try:
            str(path).encode()
        except UnicodeEncodeError as err:
            raise ProblemError(
                f"{path}: this path is not UTF-8, and no run can keep it",
                hint="rename what is not, or put a copy of the project elsewhere",
            ) from err


def aim_of(folder: Path) -> Aim | None:
    """Return what a run was asked to do; None for one that no `optimize` began.

    Raises:
        JournalError: It cannot be read.
    """
    path = folder / _FILE
    try:
        return Aim.model_validate_json(content(path))
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as err:
        raise JournalError(
            f"{path}: cannot be read: {reason(err)}",
            hint="remove it: the run can be resumed without, and then changes no file",
        ) from err
