"""The tables of a run file: closed, frozen, each key with its help text.

Not here: the run file as a whole, and how it is read (`config`).
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, field_validator
from pydantic import model_validator as validator

from se_agent.chat.messages import ROLE_NAME
from se_agent.config.context_limits import ContextLimits
from se_agent.config.experience_section import ExperienceSection, RetrievalSection
from se_agent.config.knowledge_section import KnowledgeSection
from se_agent.config.marks import CAN_CHANGE, CAN_SHRINK, IS_FILE
from se_agent.config.memory_sections import (
    ArtifactsSection,
    GraphSection,
    MessagesSection,
    WorkspaceSection,
)
from se_agent.config.section import OpenSection, Section
from se_agent.config.session_section import SessionSection

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(gt=0)]
Limit = BeforeValidator(lambda value: None if value == "none" else value)
Names = BeforeValidator(
    lambda v: tuple(filter(None, v.split(","))) if isinstance(v, str) else v
)
RoleName = Annotated[str, Field(pattern=ROLE_NAME)]
Prior = Literal[True, False, "read", "write", "off"]
_KEPT = (
    "a user, password or query is not taken from a run file, which is kept; "
    "leave base_url out, and export OPENAI_BASE_URL"
)


class LocalSection(Section):
    """LocalMemory: its limits, who compresses it, and what a prompt shows of it."""

    token_limit: Annotated[int, Field(ge=100)] = 1500
    """Tokens of the rendered memory; its head alone takes nearly 100."""
    directions_limit: Positive = 12
    """Attempted directions that are kept."""
    item_token_limit: Positive = 160
    """Tokens of one memory item."""
    keep_successes: Count = 3
    """Successes that survive a compression, by gain."""
    keep_failures: Count = 2
    """Failures that survive a compression, by severity."""
    compression: Literal["rules", "model", "none"] = "rules"
    """How the bank is compressed; "none": entries are cut, oldest first."""
    status: bool = True
    """The global status is shown."""
    status_only: bool = False
    """true: nothing but the global status is shown."""
    tabu: bool = True
    """Directions that failed are shown."""
    recommended: bool = True
    """Directions that worked are shown."""
    bank: bool = True
    """The reasoning bank is shown."""
    failures: bool = True
    """The bank's failures are shown."""
    evidence: bool = True
    """Directions and lessons are shown with what supports them."""


class MemorySection(OpenSection):
    """What a run remembers and what a prompt may show of it."""

    table: ClassVar[str] = "memory"

    enabled: bool = True
    """false: nothing is learned in the run or shown; `prior` is a key of its own."""
    extraction: Literal["declared", "batch", "each"] = "declared"
    """Lessons by a model: "declared" none, "batch" one call a generation, "each" one a step."""
    prior: Prior = True
    """What earlier runs found out: "read", "write" (add to it), true: both, false or "off"."""
    exclude_families: Annotated[tuple[str, ...], Field(strict=False), Names] = ()
    """Families of problems (or names of those without) whose earlier runs are left out."""
    tiers: Annotated[tuple[str, ...], Field(strict=False), Names, CAN_SHRINK] = ()
    """Memory tiers beside LocalMemory, in this order: a name, or module:attribute."""
    vocabulary: Annotated[str, IS_FILE] = ""
    """File of a tiktoken vocabulary; empty: the one found here, an estimate without a model."""
    local: LocalSection = LocalSection()
    workspace: WorkspaceSection = WorkspaceSection()
    artifacts: ArtifactsSection = ArtifactsSection()
    context: ContextLimits = ContextLimits()
    session: SessionSection = SessionSection()
    knowledge: KnowledgeSection = KnowledgeSection()
    experience: ExperienceSection = ExperienceSection()
    messages: MessagesSection = MessagesSection()
    retrieval: RetrievalSection = RetrievalSection()
    graph: GraphSection = GraphSection()

    @property
    def reads_prior(self) -> bool:
        """Whether a run begins with what earlier runs found out."""
        return self.experience.enabled and self.prior in (True, "read")

    @property
    def writes_prior(self) -> bool:
        """Whether later runs begin with what this run finds out."""
        return self.experience.enabled and self.prior in (True, "write")


class Judge(Section):
    """When a gain is proven."""

    margin: Annotated[float, Field(gt=0, lt=1)] = 0.01
    """Gain that does not count yet, as a fraction of the CPU time."""
    min_blocks: Positive = 3
    """Blocks before a gain may be called proven."""
    max_blocks: Positive = 9
    """Blocks after which a comparison stays undecided; not below min_blocks."""
    pairs: Positive = 12
    """Pairs of runs in a block; where they disagree up to 36, unless these take long."""
    counterexample_seconds: Annotated[float, Field(ge=0)] = 5.0
    """CPU seconds of the search for an input that refutes a new best program; 0: none."""
    rel_tol: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """What two floats of an answer may differ by, as a share of the larger; 0: nothing."""
    abs_tol: Annotated[float, Field(ge=0)] = 0.0
    """The same as it is; whichever allows more holds, the problem's own among them."""

    @validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_blocks > self.max_blocks:
            raise ValueError(
                f"min_blocks={self.min_blocks} is above max_blocks={self.max_blocks}"
            )
        return self


class Measure(Section):
    """How long and how often programs run for a comparison."""

    fast_seconds: Seconds = 0.02
    """CPU seconds that a run of the faster side should take."""
    slow_seconds: Seconds = 0.3
    """CPU seconds of the slower side after which a run is long enough; above fast_seconds."""
    self_test_blocks: Positive = 6
    """Blocks of identical code at the start; their spread sets the scale."""
    confirm_blocks: Annotated[int, Field(ge=6)] = 6
    """Fresh blocks of the final confirmation, at least 6."""
    confirm_inputs: Annotated[int, Field(ge=8)] = 8
    """Pairs of a block of the confirmation, each on inputs of its own if there are enough."""

    @validator(mode="after")
    def _ordered(self) -> Self:
        if self.fast_seconds >= self.slow_seconds:
            raise ValueError(
                f"fast_seconds={self.fast_seconds} is not below "
                f"slow_seconds={self.slow_seconds}"
            )
        return self


class Budget(Section):
    """What may be spent; "none" is no limit. A budget that ends is a normal end."""

    evaluations: Annotated[Positive | None, Limit] = 60
    """Distinct candidates that are evaluated."""
    proposals: Annotated[Positive | None, Limit] = None
    """Candidates asked for, duplicates and empty answers included."""
    generations: Annotated[Positive | None, Limit] = None
    """Generations."""
    calls: Annotated[Positive | None, Limit] = None
    """Calls of models, in every role."""
    patience: Annotated[Positive | None, Limit] = None
    """Evaluations in a row without a new best program, after which the search ends."""
    tokens: Annotated[Positive | None, Limit] = None
    """Tokens of models, prompts and replies, in every role."""
    money: Annotated[Seconds | None, Limit] = None
    """What models cost, in the currency of their prices; needs those of prompts and replies."""
    cpu_seconds: Annotated[Seconds | None, Limit] = None
    """CPU seconds of the engine and all that it starts."""
    wall_seconds: Annotated[Seconds | None, Limit] = None
    """Seconds on the clock on the wall."""


class SandboxSection(Section):
    """Where candidates run."""

    isolation: Literal["jail", "namespace", "bubblewrap", "container", "none"] = "jail"
    """"jail"; "namespace": room for threads and files; "bubblewrap"; "container"; "none"."""


class Endpoint(Section):
    """A model that writes programs, plans and lessons, at an OpenAI-compatible endpoint."""

    name: Annotated[str, Field(min_length=1)]
    """What its endpoint calls it."""
    provider: str = "openai"
    """What speaks to it: a registered name or module:attribute."""
    base_url: Annotated[str, CAN_CHANGE] = ""
    """Address of the endpoint; empty: OPENAI_BASE_URL, or the official one."""
    key: Annotated[str, Field(pattern=r"^[A-Z_][A-Z0-9_]{0,63}$"), CAN_CHANGE] = (
        "OPENAI_API_KEY"
    )
    """Name of the environment variable that holds the key, in capitals; never the key."""
    weights: dict[RoleName, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """Share of the calls of a role, against other models; 1 where a role is not named."""
    context: Positive = 128_000
    """Tokens that prompt and reply may take together."""
    max_tokens: Positive = 8192
    """Tokens of a reply, thoughts included."""
    temperature: Annotated[float | None, Field(ge=0, le=2), Limit] = None
    """Sampling temperature; left out: the endpoint uses its own default."""
    json_schema: bool = True
    """Lessons and plans are asked for by JSON schema; false: in words."""
    stream: bool = False
    """Replies come in pieces: a stalled one is noticed sooner."""
    timeout_seconds: Annotated[Seconds, CAN_CHANGE] = 120.0
    """Seconds after which one attempt is given up."""
    total_seconds: Annotated[Seconds, CAN_CHANGE] = 600.0
    """Seconds after which a call is given up, all attempts and waits together."""
    prompt_price: Annotated[float | None, Field(ge=0), Limit] = None
    """Price of a million prompt tokens; left out: unknown."""
    cached_price: Annotated[float | None, Field(ge=0), Limit] = None
    """Price of a million prompt tokens from a cache; left out: as others."""
    completion_price: Annotated[float | None, Field(ge=0), Limit] = None
    """Price of a million tokens of replies; left out: unknown."""

    @field_validator("base_url")
    @classmethod
    def _without_secrets(cls, url: str) -> str:
        """Refuse what may be a secret: a run file is kept with the run."""
        if "@" in url or "?" in url:
            raise ValueError(_KEPT)
        return url


class RoleSection(Section):
    """What a role of models needs, and how often it is drawn."""

    writes: bool = True
    """Its reply is a program; false: strategies, or a lesson."""
    mends: bool = False
    """It is asked about a program that failed."""
    parents: Annotated[int, Field(ge=1, le=2)] = 1
    """Programs that it is given, 1 or 2."""
    share: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Share of the slots of models that it is drawn in; 0: it takes turns with its like."""


class Prompt(Section):
    """What a prompt tells besides the problem, the program and memory."""

    contrast: bool = True
    """Two measured changes: a win, and a near miss of another strategy."""
    siblings: bool = True
    """What was made from the same parent in vain, and why it was no gain."""
    diverse: bool = True
    """A right program unlike the parent: the best one so far, if that is unlike it."""
    profile: bool = True
    """Hot lines, measured scaling, allocations."""
    cases: bool = True
    """Failing cases, where a program is repaired."""
    room: Annotated[int, Field(ge=1000)] = 32_000
    """Characters of a program that are shown; of a longer one what may change or costs."""


class Asking(Section):
    """How models are used beside rules."""

    in_flight: Annotated[int, Field(ge=1, le=256), CAN_CHANGE] = 8
    """Calls at a time, beside one for a lesson; they change nothing but the time."""
    share: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Slots of a model; rules and tuners have the others, while calls are under way."""
    polish: bool = True
    """Rules and tuners may change what a model wrote."""


class RelaySection(Section):
    """Policies that go on from one another, with `policy = "relay"`."""

    parts: Annotated[
        tuple[str, ...], Field(strict=False, min_length=2, max_length=16), Names
    ] = ("portfolio", "cse")
    """Policies in turn: registered names or module:attribute; after the last one the first."""
    plateau: Positive = 16
    """Closed steps of a policy in a row without a new best program: then the next goes on."""
