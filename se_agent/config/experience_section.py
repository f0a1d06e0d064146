"""The table `[memory.experience]` of a run file: what earlier runs give to this one.

Not here: how it is looked up (`se_agent.memory.experience`).
"""

from __future__ import annotations

from se_agent.config.section import Section


class ExperienceSection(Section):
    """What earlier runs give to this one, as far as `memory.prior` lets it read them."""

    enabled: bool = True
    """Earlier runs are read, and added to; false: as if this run were the only one."""
    programs: bool = True
    """The best program that was proven from this very one is the first candidate."""
    edits: bool = False
    """Changes that were proven on this program, or a like one, are tried together first."""
    tests: bool = True
    """Inputs that refuted programs of this problem are asked of every candidate."""
    executions: bool = True
    """Fixes of errors that helped in earlier runs are known to `mend`."""
    guide_pack: bool = False
    """A repair prompt has all that is known of such failures, not how this one failed only."""
    lessons: bool = False
    """Lessons of earlier runs are directions to try."""
