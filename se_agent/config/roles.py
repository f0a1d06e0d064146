"""The roles of models as data: what each one needs, and how often it is drawn.

A role is a name. An operator of another package may have one that is not in this table: it
writes a program of one parent, unless the run file says otherwise in `[roles.NAME]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self  # a table of a run file

from se_agent.chat.messages import Role
from se_agent.config.sections import RoleSection

if TYPE_CHECKING:
    from se_agent.config.run_file import Run

ROLES: Mapping[str, RoleSection] = {
    Role.PLAN: RoleSection(writes=False),
    Role.REPLAN: RoleSection(writes=False, share=0.1),
    Role.REWRITE: RoleSection(),
    Role.REFINE: RoleSection(),
    Role.MUTATE: RoleSection(),
    Role.CROSS_OVER: RoleSection(parents=2, share=0.15),
    Role.REPAIR: RoleSection(mends=True),
    Role.EXTRACT: RoleSection(writes=False),
    Role.COMPRESS: RoleSection(writes=False),
    Role.ANALYSE: RoleSection(writes=False),
}
"""The matrix of the roles that are known here."""


def whole_rows(given: Any) -> Any:
    """Return the rows of a run file with what they leave out as it is by default."""
    if not isinstance(given, dict):
        return given
    return {name: _whole(name, row) for name, row in given.items()}


def _whole(name: str, row: Any) -> Any:
    known = ROLES.get(name)
    return {**known.model_dump(), **row} if known and isinstance(row, dict) else row


class RoleMatrix(dict[str, RoleSection]):
    """The rows of a run; a role without one writes a program of one parent."""

    @classmethod
    def of(cls, config: Run) -> Self:
        """Return the matrix of a run file."""
        return cls({**ROLES, **config.roles})

    def __missing__(self, name: str) -> RoleSection:
        return ROLES.get(name, RoleSection())

    def is_plain(self, role: str) -> bool:
        """Say whether a role writes a program, and needs nothing but parents for it."""
        return self[role].writes and not self[role].mends

    def makes(self, role: str) -> bool:
        """Say whether a role writes a program of a single one."""
        return self.is_plain(role) and self[role].parents == 1
