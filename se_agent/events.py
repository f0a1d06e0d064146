"""What can happen in a run, as it is written. Typed, versioned, never changed after.

Whatever was paid for or measured is its own event. A step's stages are keyed by its slot;
`Learned` closes it, and only closed steps count for population, policy and memory.
Journals of all versions are read by these classes; CONTRIBUTING.md says what that asks of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, model_validator
from pydantic_core import to_json

from se_agent.chat.events import ChatEvent, EventBase
from se_agent.memory_events import MemoryEvent, ShownMemory
from se_agent.values.evaluation import (
    Block,
    Calls,
    ComparisonKind,
    Evaluation,
    Figure,
    FlagsGain,
    Hunt,
    InputSet,
    TestKey,
    Verdict,
)
from se_agent.values.lesson import Item, Lesson, Metric
from se_agent.values.objective import CPU_TIME, Objective
from se_agent.values.observation import GrowthPair, Observation
from se_agent.values.session import SessionUpdates
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal
from se_agent.wire.spelling import encodable_parts

SCHEMA_VERSION = 24
"""Version of the journal. 3 knows `rolled_back`, 4 `observed`, 5 `remembered` and the prior of
a run, 6 `trimmed` and `informed`, 7 what models are asked and say, 8 tokens of a prompt, 9
doubts about a problem, 10 what was asked where no reply came, 11 parts of trimmed edits, 12
counterexamples of several calls, 13 tokens of attempts without a reply, 14 changes made
together, 15 losses of a call that ended the run, 16 objections, 17 the final seed, 18 the
machine and roles, 19 outputs kept whole, session memory, surveys, 20 what earlier runs give,
thoughts, 21 champions rewritten for people, calls in a living process, 22 preferences, 23
switches of policy, 24 final blocks of more pairs than inputs."""


class Started(EventBase):
    """The run exists.

    `name` is the problem's, `problem` its fingerprint, `config` the run file with every
    operator named, `metric` the initial program's figure (CPU seconds an input, or its score; 1
    where something else is compared), `cost_seconds` what it cost to find out. `objective` has
    the weights, and `seconds` the CPU seconds an input: None in a journal without one. Unless
    `trusted`, programs have a part in saying how good they are. `prior` has wins and losses by
    operator of earlier runs. Flags of trimming are false in older journals. `notes` are doubts.
    """

    kind: Literal["started"] = "started"
    name: str
    config: dict[str, Any]  # the run file as JSON
    problem: str
    initial: Solution
    evaluation: Evaluation
    measure: ComparisonKind
    metric: Metric
    isolation: str
    tokenizer: str
    cost_seconds: float = 0.0
    objective: Objective = CPU_TIME
    seconds: float | None = None
    trusted: bool = True
    prior: dict[str, tuple[float, float]] = Field(default_factory=dict)
    prior_from: str = ""
    trims_in_groups: bool = False
    restyles: bool = False
    thrifty: bool = False
    trim_share: float = 0.0
    final_pairs: int = 0
    notes: tuple[str, ...] = ()
    settings: dict[str, Any] | None = None
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    confirmation_seconds: float | None = None
    machine: str = ""

    @property
    def adds_up(self) -> bool:
        """Whether what changes save of one cost adds up: no score does, nor a mean of costs."""
        return self.measure is not ComparisonKind.EXACT and len(self.objective.weights) == 1


class SelfTested(EventBase):
    """The A/A self-test: `spread` is the deviation of block medians of identical code."""

    kind: Literal["self_tested"] = "self_tested"
    spread: float
    blocks: tuple[Block, ...]


class GenerationOpened(EventBase):
    """A generation of `size` slots begins at `slot`, with what was spent until then."""

    kind: Literal["generation_opened"] = "generation_opened"
    generation: int
    size: int
    cpu_seconds: float
    wall_seconds: float


class Relayed(EventBase):
    """From `slot` on `policy` goes on from the program `best`, with a fresh history.

    It is leg number `leg`, from 1; `before`, of which `steps` are closed, stops for a plateau
    or with nothing left to try.
    """

    kind: Literal["relayed"] = "relayed"
    policy: str
    leg: int
    before: str
    steps: int
    best: str
    why: Literal["plateau", "nothing_left"]


class Selected(EventBase):
    """The policy filled the slot; `parents` and `child` are ids.

    `informed` is false where memory was withheld to see what it is worth; None where it had
    nothing to say. `shown_memory` is for models; `edits` are changes to be made together.
    """

    kind: Literal["selected"] = "selected"
    child: str
    parents: tuple[str, ...]
    operator: str
    variant: int = 0
    strategy: str = ""
    subject: str = ""
    edits: tuple[Edit, ...] = ()
    informed: bool | None = None
    shown_memory: ShownMemory | None = None

    @model_validator(mode="before")
    @classmethod
    def _older(cls, value: Any) -> Any:  # journals before 7 name a model that nobody asked
        return {k: v for k, v in value.items() if k != "model"}


class Proposed(EventBase):
    """What the operator came up with: nothing, a duplicate, or a candidate to evaluate."""

    kind: Literal["proposed"] = "proposed"
    proposal: Proposal | None = None
    duplicate_of: str = ""


class Evaluated(EventBase):
    """A candidate ran on the tests."""

    kind: Literal["evaluated"] = "evaluated"
    solution: str
    content: str
    evaluation: Evaluation


class BlockMeasured(EventBase):
    """One block of a comparison; `reference` and `candidate` are solution ids."""

    kind: Literal["block_measured"] = "block_measured"
    reference: str
    candidate: str
    inputs: InputSet
    block: Block


class Challenged(EventBase):
    """A would-be champion faced the search for a counterexample, or that was put off."""

    kind: Literal["challenged"] = "challenged"
    solution: str
    hunt: Hunt


class Observed(EventBase):
    """A right solution was watched: the initial one, or a new best before it is credited."""

    kind: Literal["observed"] = "observed"
    solution: str
    observation: Observation


class Retested(EventBase):
    """A right solution ran on a counterexample, which `test` tells from others."""

    kind: Literal["retested"] = "retested"
    solution: str
    arguments: str
    links: str
    calls: Calls = Calls.SINGLE
    evaluation: Evaluation

    @property
    def test(self) -> TestKey:
        """What tells the counterexample from others."""
        return self.arguments, self.links, self.calls


class Learned(EventBase):
    """The step is closed. Lesson, memory and population move together, once.

    Attributes:
        child: Id of the solution, empty when there was none.
        verdict: Against the parent; None when nothing was evaluated.
        effect: Composed from the initial program, None if not right; `variance` is its own.
        best: Id of the incumbent after this step.
        withdrawn: Ids of solutions that turned out to be wrong.
        lesson: What the extractor returned; None when memory is off or nothing happened.
        memory_version: Version of LocalMemory after this step.
        refused: Words of fresh directions that the lesson dropped; the shrink guard kept them.
        bank: The bank as a model compressed it, this step's item included; None: no model did.
        session_updates: What the step adds to session memory; None: nothing.
    """

    kind: Literal["learned"] = "learned"
    child: str = ""
    verdict: Verdict | None = None
    effect: float | None = None
    variance: float = 0.0
    best: str
    withdrawn: tuple[str, ...] = ()
    lesson: Lesson | None = None
    memory_version: int = 0
    refused: tuple[str, ...] = ()
    bank: tuple[Item, ...] | None = None
    session_updates: SessionUpdates | None = None


class Resumed(EventBase):
    """The run was taken up again, with what had been spent until then.

    `settings` are those of the run file that are others from here on, by dotted key. Where a
    budget is among them, a search that had ended goes on, and its end is none any more.
    """

    kind: Literal["resumed"] = "resumed"
    cpu_seconds: float
    wall_seconds: float
    settings: dict[str, Any] = Field(default_factory=dict)  # TOML values


class SearchEnded(EventBase):
    """The search is over; `budget_end` says what ended it.

    From here on only the confirmation is missing, unless the budget is changed. `closed` is how
    many steps were closed when time ran out and broke others off; None: none was open.
    """

    kind: Literal["search_ended"] = "search_ended"
    budget_end: str
    generations: int
    cpu_seconds: float
    wall_seconds: float
    closed: int | None = None


class Trimmed(EventBase):
    """After the search: an edit of the champion was left out, for good or for a trial.

    Attributes:
        edit: The one; of a group the first, with `others`.
        reference: Id of the champion of the search, which the program was compared with.
        solution: The program without the edit, and without those that were dropped before.
        dropped: Whether it is right and proven not to be worse; then it is the champion.
        effect: Composed from the initial program, with `variance`; None where the edit stays.
    """

    kind: Literal["trimmed"] = "trimmed"
    edit: Edit
    others: tuple[Edit, ...] = ()
    reference: str
    solution: Solution
    dropped: bool
    effect: float | None = None
    variance: float = 0.0

    @property
    def group(self) -> tuple[Edit, ...]:
        """All edits that were left out for this trial."""
        return (self.edit, *self.others)


class Seeded(EventBase):
    """The confirmation begins, and draws by this seed: no program could know it before."""

    kind: Literal["seeded"] = "seeded"
    seed: int


class Confirmed(EventBase):
    """The champion against the initial program on final inputs, fresh blocks.

    `gain`, `low` and `high` are ratios of net CPU for timed problems, all 1.0 unless the low
    end is above 1 + margin; None for scored ones, which carry scores on the final inputs.
    `note` says what kept it from being made, `no_reference` the same of `against_reference`.
    `with_flags`, `growth` and `reason`, why a gain counts for nothing, stand beside it.
    """

    kind: Literal["confirmed"] = "confirmed"
    solution: str
    status: Literal["proven", "not_proven"]
    gain: float | None = None
    low: float | None = None
    high: float | None = None
    score: float | None = None
    score_initial: float | None = None
    note: str = ""
    figures: tuple[Figure, ...] = ()
    against_reference: tuple[Figure, ...] = ()
    no_reference: str = ""
    with_flags: FlagsGain | None = None
    growth: GrowthPair | None = None
    reason: Literal["", "grows_faster"] = ""


class Remembered(EventBase):
    """What the run found out about its operators is kept for later ones, or why it is not."""

    kind: Literal["remembered"] = "remembered"
    note: str = ""


class Failed(EventBase):
    """The run broke off by an error of ours or of the machine; it can be resumed."""

    kind: Literal["failed"] = "failed"
    message: str


class Ended(EventBase):
    """The run is complete, with what it cost in all."""

    kind: Literal["ended"] = "ended"
    status: Literal["proven", "not_proven"]
    cpu_seconds: float
    wall_seconds: float


Event = (
    Started
    | SelfTested
    | GenerationOpened
    | Relayed
    | Selected
    | ChatEvent
    | MemoryEvent
    | Proposed
    | Evaluated
    | BlockMeasured
    | Challenged
    | Observed
    | Retested
    | Learned
    | Resumed
    | SearchEnded
    | Trimmed
    | Seeded
    | Confirmed
    | Remembered
    | Failed
    | Ended
)
adapter: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


_ASIDE = {"evaluation": {"full_output"}}  # kept beside the run, if anywhere


def dumps(event: Event) -> str:
    """Return an event as JSON; infinities, for which JSON has no word, as strings.

    Raises:
        PydanticSerializationError: A text of it has no UTF-8 form; see `spelled_out`.
    """
    return to_json(event.model_dump(exclude=_ASIDE), inf_nan_mode="strings").decode()


def spelled_out(event: Event) -> Event:
    """Return an event of which every text can be encoded: halves of letters are spelled out."""
    return adapter.validate_python(encodable_parts(event.model_dump()))


def loads(text: str | bytes) -> Event:
    """Return the event that `dumps` wrote.

    Raises:
        pydantic.ValidationError: It is none of this version's.
    """
    return adapter.validate_json(text)
