"""What a tool may be given: every text and every list has a limit (AM-76).

Names are those of the reference memory server. Not here: what the tools do (`tools`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from se_agent.memory.graph import Edge, Entity, Observations

Name = Annotated[str, Field(min_length=1, max_length=1000)]
Kind = Annotated[str, Field(min_length=1, max_length=100)]
Fact = Annotated[str, Field(max_length=4000)]
Facts = Annotated[list[Fact], Field(max_length=100)]
Names = Annotated[list[Name], Field(max_length=100)]
Words = Annotated[str, Field(max_length=4000)]
Page = Annotated[int, Field(ge=0, lt=100_000)]
Limit = Annotated[int, Field(ge=1, le=50)]
Start = Annotated[int, Field(ge=0, lt=1 << 40)]
Size = Annotated[int, Field(ge=1, le=8000)]
Reference = Annotated[str, Field(min_length=1, max_length=64)]
RunName = Annotated[str, Field(pattern=r"^[\w-][\w.-]{0,200}$")]
AgentName = Annotated[str, Field(pattern=r"^[a-z0-9_]{0,60}$")]
Language = Annotated[str, Field(pattern=r"^[a-z]{0,20}$")]
Place = Annotated[str, Field(pattern=r"^[^\s:\-][^:\x00\n]{0,400}\.py:[\w.]{1,200}$")]
"""A function: `FILE.py:FUNCTION`, below the folder that the server works in."""

Examples = Annotated[
    list[Annotated[str, Field(pattern=r"^[^-]", max_length=4000)]], Field(max_length=20)
]
Seconds = Annotated[float, Field(gt=0, le=600)]
Spent = Annotated[float, Field(ge=0, le=1e9)]


class _Given(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Told(BaseModel):
    model_config = ConfigDict(frozen=True)  # a foreign server may say more


class EntityGiven(_Given):
    """An entity to be created."""

    name: Name
    entity_type: Annotated[Kind, Field(alias="entityType")]
    observations: Facts = Field(default_factory=list)

    @property
    def value(self) -> Entity:
        """The entity."""
        return Entity(self.name, self.entity_type, tuple(self.observations))


class RelationGiven(_Given):
    """A relation, in active voice."""

    source: Annotated[Name, Field(alias="from")]
    target: Annotated[Name, Field(alias="to")]
    relation_type: Annotated[Kind, Field(alias="relationType")]

    @property
    def value(self) -> Edge:
        """The relation."""
        return Edge(self.source, self.target, self.relation_type)


class ContentsGiven(_Given):
    """Facts to be added to an entity."""

    entity: Annotated[Name, Field(alias="entityName")]
    contents: Facts

    @property
    def value(self) -> Observations:
        """The facts."""
        return Observations(self.entity, tuple(self.contents))


class DeletionGiven(_Given):
    """Facts to be taken back from an entity."""

    entity: Annotated[Name, Field(alias="entityName")]
    observations: Facts

    @property
    def value(self) -> Observations:
        """The facts."""
        return Observations(self.entity, tuple(self.observations))


Entities = Annotated[list[EntityGiven], Field(max_length=100)]
Relations = Annotated[list[RelationGiven], Field(max_length=100)]
Contents = Annotated[list[ContentsGiven], Field(max_length=100)]
Deletions = Annotated[list[DeletionGiven], Field(max_length=100)]
MemoryKinds = Literal["", "lesson", "policy", "preference", "fix", "solution", "archetype"]


class AddedTold(_Told):
    """Facts that a foreign server says were new to it."""

    entity: Annotated[Name, Field(alias="entityName")]
    added: Annotated[Facts, Field(alias="addedObservations")]


class FoundTold(_Told):
    """A part of a foreign server's graph."""

    entities: Annotated[list[EntityGiven], Field(max_length=1000)]
    relations: Annotated[list[RelationGiven], Field(max_length=1000)]


Added = Annotated[list[AddedTold], Field(max_length=100)]
