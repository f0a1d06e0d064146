"""What a run takes over from a pack of static knowledge: texts and figures, frozen.

Not here: packs themselves, and how an archetype is chosen (`se_agent.memory.knowledge`).
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from se_agent.values.evaluation import Status


class Leads(BaseModel):
    """What leads to a pitfall (LF-37).

    Attributes:
        statuses: Ways to fail that point to it.
        errors: Words of an error's text that point to it, and weigh more than a status.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    statuses: tuple[Status, ...] = ()
    errors: tuple[str, ...] = ()


class ArchetypeExcerpt(BaseModel):
    """What a run takes over of one archetype.

    Attributes:
        bundle: Signature, parameter strategy, pitfalls and skeleton (LF-36).
        relevant: Names of its pitfalls.
        rules: Wins and losses by operator that the pack gives to begin with.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    bundle: str = ""
    relevant: tuple[str, ...] = ()
    rules: dict[str, tuple[float, float]] = Field(default_factory=dict)


class KnowledgeExcerpt(BaseModel):
    """The part of a pack that prompts and policies of a run may use.

    A fold is pure, and reads neither files nor the texts of a journal: so the event that brings
    knowledge into a run holds this excerpt itself. Whole documents lie beside it.

    Attributes:
        archetypes: All archetypes of the pack in short, for the role `analyse` (LF-35).
        bundle: Signature, parameter strategy, pitfalls and skeleton of the chosen archetype
            (LF-36); empty: none fits well.
        pitfalls: Error pattern and fix of each pitfall, by name.
        relevant: Names of the pitfalls of the chosen archetype; of all where there is none.
        leads: What leads to each pitfall.
        rules: Wins and losses by operator that the pack gives to begin with.
        names: All archetypes that the packs in use have a document of.
        others: The same of the archetypes that were not chosen, where a role of the run may
            name another one; else none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    archetypes: str = ""
    bundle: str = ""
    pitfalls: dict[str, str] = Field(default_factory=dict)
    relevant: tuple[str, ...] = ()
    leads: dict[str, Leads] = Field(default_factory=dict)
    rules: dict[str, tuple[float, float]] = Field(default_factory=dict)
    names: tuple[str, ...] = ()
    others: dict[str, ArchetypeExcerpt] = Field(default_factory=dict)

    def of(self, archetype: str) -> KnowledgeExcerpt:
        """Return the excerpt with what is said of another archetype than the chosen one.

        Of an archetype that is not among `others` the pack says nothing, and all pitfalls may
        be met. Without others the excerpt is as it was: nobody could have named one.
        """
        if not self.others:
            return self
        nothing = ArchetypeExcerpt(relevant=tuple(self.pitfalls))
        told = self.others.get(archetype, nothing)
        changes = {"bundle": told.bundle, "relevant": told.relevant, "rules": told.rules}
        return self.model_copy(update=changes)


def pitfalls_led_to(leads: dict[str, Leads], told: str, status: Status) -> tuple[str, ...]:
    """Return the pitfalls that a failure points to: by its error, else by its status.

    Args:
        leads: What leads to each pitfall, by name.
        told: Template or text of the error.
        status: How the program failed.
    """
    by_error = [n for n, lead in leads.items() if any(word in told for word in lead.errors)]
    by_status = [name for name, lead in leads.items() if status in lead.statuses]
    return tuple(by_error or by_status)
