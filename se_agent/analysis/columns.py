"""The columns of all tables of a run: names, kinds, units and meanings. They are a promise.

A name here is never given another meaning. New columns are added at the end of their table.
Not here: how rows are made (`tables`, `memory_table`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

ColumnKind = Literal["text", "number", "count", "truth", "time"]
"""What a column holds; each may be missing."""


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        name: Name of the column.
        kind: What it holds.
        unit: Unit of its figures; empty: none.
        meaning: A sentence for people.
    """

    name: str
    kind: ColumnKind
    unit: str
    meaning: str


_RUN = Column("run", "text", "", "Folder of the run.")
_SLOT = Column("slot", "count", "", "Number of the step, from 0; below 0: no step's.")
_SOLUTION = Column("solution", "text", "", "Id of the solution, such as Gen3_Sol_4.")
_AT = Column("at", "time", "UTC", "When it was written down.")
_COST = Column("cost_seconds", "number", "CPU s", "What it cost of the budget.")
_LN = "ln, or score"

_STEPS = (
    _RUN,
    _SLOT,
    Column("generation", "count", "", "Number of the generation, from 1."),
    _SOLUTION,
    Column("parents", "text", "", "Ids of the parents, a space between two."),
    Column("operator", "text", "", "Registered name of the operator."),
    Column("variant", "count", "", "Number of the proposal among those of the operator."),
    Column("strategy", "text", "", "Strategy that it follows; empty: none is named."),
    Column(
        "informed", "truth", "", "Whether memory was shown; missing: it had nothing to say."
    ),
    Column("outcome", "text", "", "How it ended; see StepOutcome."),
    Column("status", "text", "", "Status of the candidate, such as AC or WA."),
    Column("effect", "number", _LN, "How much better than the first parent."),
    Column("effect_low", "number", _LN, "Lower end of the interval of the effect."),
    Column("effect_high", "number", _LN, "Upper end of it."),
    Column("proven", "truth", "", "Whether the gain over the parent is proven."),
    Column(
        "total_effect", "number", _LN, "Effect over the initial program, composed of steps."
    ),
    Column("best", "text", "", "Id of the incumbent after the step."),
    Column("best_effect", "number", _LN, "Total effect of the incumbent."),
    Column("evaluations", "count", "", "Candidates evaluated so far in the run."),
    Column("calls", "count", "", "Calls of models answered so far."),
    Column("tokens", "count", "tokens", "Tokens of all calls so far."),
    Column("money", "number", "currency of the run file", "Cost of all calls so far."),
    Column("run_cpu_seconds", "number", "CPU s", "CPU seconds of the run so far."),
    _COST,
    Column("memory_version", "count", "", "Version of the memory after the step."),
    _AT,
)
_SOLUTIONS = (
    _RUN,
    _SOLUTION,
    _SLOT,
    Column("generation", "count", "", "Number of the generation; 0: the initial program."),
    Column("parents", "text", "", "Ids of the parents, a space between two."),
    Column("operator", "text", "", "Registered name of the operator; `initial` for the first."),
    Column("strategy", "text", "", "Strategy that it follows; empty: none is named."),
    Column("edits", "count", "", "Number of changes that it is made of."),
    Column("outcome", "text", "", "How its step ended; see StepOutcome."),
    Column("status", "text", "", "Status, such as AC or WA."),
    Column("effect", "number", _LN, "How much better than the first parent."),
    Column("proven", "truth", "", "Whether the gain over the parent is proven."),
    Column(
        "total_effect", "number", _LN, "Effect over the initial program, composed of steps."
    ),
    Column("is_best", "truth", "", "Whether it is the run's best one."),
    Column("direction", "text", "", "What was changed, in the words of its maker."),
    Column(
        "text", "text", "", "The program; of several files each below a line with its path."
    ),
)
_EVALUATIONS = (
    _RUN,
    _SLOT,
    _SOLUTION,
    Column("status", "text", "", "AC, WA, RE, TLE, MLE, CE or REJECTED."),
    Column("cpu_seconds", "number", "CPU s", "What the program took on the tests."),
    Column("peak_bytes", "count", "bytes", "Most memory that it held."),
    Column("score", "number", "score", "Its score, of a scored problem."),
    _COST,
    Column("failed_case", "text", "", "Name of the case that failed; empty: none did."),
    Column("feedback", "text", "", "What went wrong, in a line or two."),
    Column("is_retest", "truth", "", "Whether it ran on a counterexample only."),
    _AT,
)
_BLOCKS = (
    _RUN,
    _SLOT,
    Column("phase", "text", "", "self_test, search, minimisation or confirmation."),
    Column("reference", "text", "", "Id of the solution that was compared with."),
    Column("candidate", "text", "", "Id of the solution that was compared."),
    Column("inputs", "text", "", "search or final."),
    Column("number", "count", "", "Place of the block in its comparison, from 0."),
    Column("effect", "number", _LN, "Effect of the block: its median over pairs."),
    Column("reference_figure", "number", "column unit", "Figure of the reference."),
    Column("candidate_figure", "number", "column unit", "Figure of the candidate."),
    Column("unit", "text", "", "Unit of both figures; empty: none."),
    Column("pairs", "count", "", "Pairs of runs."),
    Column("input_count", "count", "", "Distinct inputs that a run answers."),
    Column("level", "count", "", "Rung of the ladder of sizes."),
    Column("status", "text", "", "AC, or how the candidate failed."),
    Column("reference_status", "text", "", "AC, or how the reference failed."),
    _COST,
    _AT,
)
_CALLS = (
    _RUN,
    _SLOT,
    _SOLUTION,
    Column("role", "text", "", "What the call was for."),
    Column("model", "text", "", "Name of the model in the run file."),
    Column("attempt", "count", "", "0; 1: the call that repairs an unusable reply."),
    Column("outcome", "text", "", "replied, unanswered or lost."),
    Column("prompt_tokens", "count", "tokens", "Tokens of the messages, as charged."),
    Column("cached_tokens", "count", "tokens", "Those of them that a cache served."),
    Column("completion_tokens", "count", "tokens", "Tokens of the reply, as charged."),
    Column("reasoning_tokens", "count", "tokens", "Those of them that were thought, not said."),
    Column("lost_tokens", "count", "tokens", "Tokens of attempts without a reply, estimated."),
    Column("money", "number", "currency of the run file", "What it cost; missing: no prices."),
    Column("seconds", "number", "s", "Seconds on the wall."),
    Column("complete", "truth", "", "Whether the reply was not cut off."),
    Column("why", "text", "", "Why there is no reply, or what was objected to it."),
    Column("request", "text", "", "Digest of what was asked; `run.messages` has the text."),
    Column("reply", "text", "", "The reply."),
    _AT,
)
_MEMORY = (
    _RUN,
    Column("kind", "text", "", "direction or item."),
    Column("entry", "text", "", "Key of the direction, or title of the item."),
    Column(
        "from_version", "count", "", "Version of the memory in which it is so for the first."
    ),
    Column(
        "to_version", "count", "", "Version in which it is no more so; missing: it still is."
    ),
    Column("change", "text", "", "Why it stands there: new or changed."),
    Column("cause", "text", "", "What made the version: lesson, rollback or suggestion."),
    _SLOT,
    Column("step", "text", "", "Id of the solution whose lesson made the version."),
    Column("source", "text", "", "Id of the solution that the entry comes from."),
    Column("text", "text", "", "The direction in words, or the content of the item."),
    Column(
        "outcome",
        "text",
        "",
        "How it fared: Success, Failed, Neutral; of an item Success or Failure.",
    ),
    Column("tries", "count", "", "Steps that followed the direction."),
    Column("gains", "count", "", "Those of them that were proven better."),
    Column("losses", "count", "", "Those of them that were wrong or proven worse."),
    Column("effect", "number", _LN, "Effect behind an item."),
    Column("proven", "truth", "", "Whether this effect is proven."),
    Column("evidence", "text", "", "What supports it."),
    Column(
        "shown_to", "text", "", "Ids of candidates whose prompt has it, a space between two."
    ),
)

_RUNS = (
    _RUN,
    Column("arm", "text", "", "Name of its arm; empty: its settings say so."),
    Column("problem", "text", "", "Name of the problem."),
    Column("seed", "count", "", "Seed of every random choice."),
    Column("status", "text", "", "proven, not_proven, not_tried, interrupted or failed."),
    Column("gain", "number", "ratio", "Initial / best on final inputs; missing: scored."),
    Column("gain_low", "number", "ratio", "Lower end of its 99 % interval."),
    Column("gain_high", "number", "ratio", "Upper end of it."),
    Column("score", "number", "score", "Score of the best program on final inputs."),
    Column("score_initial", "number", "score", "Score of the initial program."),
    Column("evaluations", "count", "", "Candidates that were evaluated."),
    Column("generations", "count", "", "Generations that were finished."),
    Column("calls", "count", "", "Calls of models that got a reply."),
    Column("tokens", "count", "tokens", "Tokens of these calls."),
    Column("money", "number", "currency of the run file", "Cost of them; missing: not known."),
    Column("cpu_seconds", "number", "CPU s", "CPU seconds of engine and candidates."),
    Column("budget_end", "text", "", "What ended the search."),
    Column("machine", "text", "", "The machine that it began on; empty: not on record."),
    Column("settings", "text", "JSON", "Settings that differ from the default."),
    Column("folder", "text", "", "Path of the run folder."),
)

TABLES: Mapping[str, tuple[Column, ...]] = {
    "runs": _RUNS,
    "solutions": _SOLUTIONS,
    "steps": _STEPS,
    "evaluations": _EVALUATIONS,
    "blocks": _BLOCKS,
    "calls": _CALLS,
    "memory": _MEMORY,
}
"""The columns of each table, in order."""


def names_of(table: str) -> tuple[str, ...]:
    """Return the names of the columns of a table."""
    return tuple(column.name for column in TABLES[table])
