"""What `optimize` was asked to do with the user's file, kept in the folder of its run.

Not here: how the file is changed (`user_function.change`), and when (`conclusion`).
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from se_agent.errors import JournalError, ProblemError, reason
from se_agent.files.run_files import content, replace_whole
from se_agent.user_function.change import holds

_FILE = "target.json"


class Aim(BaseModel):
    """What a run of `optimize` was asked to do with the user's file.

    Attributes:
        path: Absolute path of the file.
        function: Qualified name of the one that may change; empty in runs of before.
        text: Text of the file, as it was read.
        write: Whether to change it if a gain is proven.
        folder: Absolute path of the run. A copy of the run, from elsewhere perhaps, changes no
            file.
        written: Whether that was done.
        accepted: Doubts, by name, in spite of which it is to be done.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path
    function: str = ""
    text: str
    write: bool
    folder: Path
    written: bool = False
    accepted: tuple[str, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether the file is to be changed, and is not what it was when it was read."""
        return self.write and not self.written and not holds(self.path, self.text)

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
