"""The tables of a run file for what memory keeps beside the runs.

Not here: LocalMemory, and the table that holds these (`sections`).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from se_agent.chat.messages import ROLE_NAME
from se_agent.config.marks import IS_FILE
from se_agent.config.section import Section

Days = Annotated[float, Field(gt=0, le=36_500)]


class WorkspaceSection(Section):
    """Where everything lies that is kept beside the runs."""

    path: Annotated[str, IS_FILE] = ""
    """Folder of what is kept beside the runs; empty: .se_agent in results; "none": nothing."""
    logs: bool = True
    """What each role was asked and said, in files for people and for `tail -f`."""
    states: bool = True
    """What each agent did last, in a file each, whenever the run stops."""


def _without_itself(needs: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    for agent, others in needs.items():
        if agent in others:
            raise ValueError(f"{agent} cannot wait for itself")
    return needs


AgentName = Annotated[str, Field(pattern=ROLE_NAME)]
Needs = Annotated[dict[AgentName, tuple[AgentName, ...]], AfterValidator(_without_itself)]


class MessagesSection(Section):
    """What agents tell each other: roles of models, the rules, the evaluator."""

    shown: bool = False
    """A prompt shows the newest three messages for its role."""
    dependencies: Annotated[Needs, Field(strict=False)] = Field(default_factory=dict)
    """Agents that an agent waits for, as in {repair = ["evaluator"]}; empty: as usual."""


class GraphSection(Section):
    """What is known of errors and functions as a graph, here and on a server of others."""

    enabled: bool = True
    """Errors of earlier runs are looked up, with what lies around them."""
    shown: bool = False
    """Prompts show what is related to the error that they mend, and facts of the server."""
    server: str = ""
    """A memory server that is asked as a run begins: its address, or a command; empty: none."""
    send: bool = False
    """What a run found out is written to that server as it ends."""
    seconds: Annotated[float, Field(gt=0, le=600)] = 10.0
    """Seconds that one call of the server may take."""


class ArtifactsSection(Section):
    """Large outputs, which are kept whole beside the runs."""

    enabled: bool = True
    """Large outputs are kept whole; false: what was cut from them is lost."""
    offload_characters: Annotated[int, Field(ge=1000)] = 2000
    """Characters of an output up to which a prompt shows all of it."""
    head_characters: Annotated[int, Field(ge=0, le=500)] = 500
    """Characters of its beginning that a prompt shows."""
    tail_characters: Annotated[int, Field(ge=0, le=200)] = 200
    """Characters of its end that a prompt shows."""
    read_rounds: Annotated[int, Field(ge=0, le=8)] = 2
    """Replies of one call with which a model may ask for parts of it; 0: none."""
    retention_days: Days = 3.0
    """Days that an output is kept which nobody has pinned."""
    sweep_days: Days = 7.0
    """Days from one search for contents that nobody names to the next."""
