"""The columns of all tables of a run: names, kinds, units and meanings. They are a promise.

A name here is never given another meaning. New columns are added at the end of their table.
Not here: how rows are made (`tables`, `memory_table`).
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, cast

ColumnKind = Literal["text", "number", "count", "truth", "time"]
"""What a column holds; each may be missing."""


class TableColumn(NamedTuple):
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


_RUN = TableColumn("run", "text", "", "Folder of the run.")
_SLOT = TableColumn("slot", "count", "", "Number of the step, from 0; below 0: no step's.")
_SOLUTION = TableColumn("solution", "text", "", "Id of the solution, such as Gen3_Sol_4.")
_AT = TableColumn("at", "time", "UTC", "When it was written down.")
_COST = TableColumn("cost_seconds", "number", "CPU s", "What it cost of the budget.")
_LN = "ln, or score"

_STEPS = (
    _RUN,
    _SLOT,
    TableColumn("generation", "count", "", "Number of the generation, from 1."),
    _SOLUTION,
    TableColumn("parents", "text", "", "Ids of the parents, a space between two."),
    TableColumn("operator", "text", "", "Registered name of the operator."),
    TableColumn("variant", "count", "", "Number of the proposal among those of the operator."),
    TableColumn("strategy", "text", "", "Strategy that it follows; empty: none is named."),
    TableColumn(
        "informed", "truth", "", "Whether memory was shown; missing: it had nothing to say."
    ),
    TableColumn("outcome", "text", "", "How it ended; see StepOutcome."),
    TableColumn("status", "text", "", "Status of the candidate, such as AC or WA."),
    TableColumn("effect", "number", _LN, "How much better than the first parent."),
    TableColumn("effect_low", "number", _LN, "Lower end of the interval of the effect."),
    TableColumn("effect_high", "number", _LN, "Upper end of it."),
    TableColumn("proven", "truth", "", "Whether the gain over the parent is proven."),
    TableColumn(
        "total_effect", "number", _LN, "Effect over the initial program, composed of steps."
    ),
    TableColumn("best", "text", "", "Id of the incumbent after the step."),
    TableColumn("best_effect", "number", _LN, "Total effect of the incumbent."),
    TableColumn("evaluations", "count", "", "Candidates evaluated so far in the run."),
    TableColumn("calls", "count", "", "Calls of models answered so far."),
    TableColumn("tokens", "count", "tokens", "Tokens of all calls so far."),
    TableColumn("money", "number", "currency of the run file", "Cost of all calls so far."),
    TableColumn("run_cpu_seconds", "number", "CPU s", "CPU seconds of the run so far."),
    _COST,
    TableColumn(
        "memory_version",
        "count",
        "",
        "Version of the memory it made; 0: none.",
    ),
    _AT,
)
_SOLUTIONS = (
    _RUN,
    _SOLUTION,
    _SLOT,
    TableColumn("generation", "count", "", "Number of the generation; 0: the initial program."),
    TableColumn("parents", "text", "", "Ids of the parents, a space between two."),
    TableColumn("operator", "text", "", "Name of the operator; `initial` for the first."),
    TableColumn("strategy", "text", "", "Strategy that it follows; empty: none is named."),
    TableColumn("edits", "count", "", "Number of changes that it is made of."),
    TableColumn("outcome", "text", "", "How its step ended; see StepOutcome."),
    TableColumn("status", "text", "", "Status, such as AC or WA."),
    TableColumn("effect", "number", _LN, "How much better than the first parent."),
    TableColumn("proven", "truth", "", "Whether the gain over the parent is proven."),
    TableColumn(
        "total_effect", "number", _LN, "Effect over the initial program, composed of steps."
    ),
    TableColumn("is_best", "truth", "", "Whether it is the run's best one."),
    TableColumn("direction", "text", "", "What was changed, in the words of its maker."),
    TableColumn(
        "text", "text", "", "The program; of several files each below a line with its path."
    ),
)
_EVALUATIONS = (
    _RUN,
    _SLOT,
    _SOLUTION,
    TableColumn("status", "text", "", "AC, WA, RE, TLE, MLE, CE or REJECTED."),
    TableColumn("cpu_seconds", "number", "CPU s", "What the program took on the tests."),
    TableColumn("peak_bytes", "count", "bytes", "Most memory that it held."),
    TableColumn("score", "number", "score", "Its score, of a scored problem."),
    _COST,
    TableColumn("failed_case", "text", "", "Name of the case that failed; empty: none did."),
    TableColumn("feedback", "text", "", "What went wrong, in a line or two."),
    TableColumn("is_retest", "truth", "", "Whether it ran on a counterexample only."),
    _AT,
)
_BLOCKS = (
    _RUN,
    _SLOT,
    TableColumn("phase", "text", "", "self_test, search, minimisation or confirmation."),
    TableColumn("reference", "text", "", "Id of the solution that was compared with."),
    TableColumn("candidate", "text", "", "Id of the solution that was compared."),
    TableColumn("inputs", "text", "", "search or final."),
    TableColumn("number", "count", "", "Place of the block in its comparison, from 0."),
    TableColumn("effect", "number", _LN, "Effect of the block: its median over pairs."),
    TableColumn("reference_figure", "number", "column unit", "Figure of the reference."),
    TableColumn("candidate_figure", "number", "column unit", "Figure of the candidate."),
    TableColumn("unit", "text", "", "Unit of both figures; empty: none."),
    TableColumn("pairs", "count", "", "Pairs of runs."),
    TableColumn("input_count", "count", "", "Distinct inputs that a run answers."),
    TableColumn("level", "count", "", "Rung of the ladder of sizes."),
    TableColumn("status", "text", "", "AC, or how the candidate failed."),
    TableColumn("reference_status", "text", "", "AC, or how the reference failed."),
    _COST,
    _AT,
)
_CALLS = (
    _RUN,
    _SLOT,
    _SOLUTION,
    TableColumn("role", "text", "", "What the call was for."),
    TableColumn("model", "text", "", "Name of the model in the run file."),
    TableColumn("attempt", "count", "", "0; more: after an unusable reply, or what was read."),
    TableColumn("outcome", "text", "", "replied, unanswered or lost."),
    TableColumn("prompt_tokens", "count", "tokens", "Tokens of the messages, as charged."),
    TableColumn("cached_tokens", "count", "tokens", "Those of them that a cache served."),
    TableColumn("completion_tokens", "count", "tokens", "Tokens of the reply, as charged."),
    TableColumn("reasoning_tokens", "count", "tokens", "Those of them that were not said."),
    TableColumn("lost_tokens", "count", "tokens", "Estimate for attempts without a reply."),
    TableColumn("money", "number", "currency of the run file", "Its cost; missing: no prices."),
    TableColumn("seconds", "number", "s", "Seconds on the wall."),
    TableColumn("complete", "truth", "", "Whether the reply was not cut off."),
    TableColumn("why", "text", "", "Why there is no reply, or what was objected to it."),
    TableColumn("request", "text", "", "Digest of what was asked; see `run.messages`."),
    TableColumn("reply", "text", "", "The reply."),
    _AT,
)
_MEMORY = (
    _RUN,
    TableColumn("kind", "text", "", "direction or item."),
    TableColumn("entry", "text", "", "Key of the direction, or title of the item."),
    TableColumn(
        "from_version", "count", "", "Version of the memory in which it is so for the first."
    ),
    TableColumn(
        "to_version", "count", "", "Version in which it is no more so; missing: it still is."
    ),
    TableColumn("change", "text", "", "Why it stands there: new or changed."),
    TableColumn(
        "cause",
        "text",
        "",
        "What made the version: lesson, rollback, suggestion or recalled (of an earlier run).",
    ),
    _SLOT,
    TableColumn("step", "text", "", "Id of the solution whose lesson made the version."),
    TableColumn("source", "text", "", "Id of the solution that the entry comes from."),
    TableColumn("text", "text", "", "The direction in words, or the content of the item."),
    TableColumn(
        "outcome",
        "text",
        "",
        "How it fared: Success, Failed, Neutral; of an item Success or Failure.",
    ),
    TableColumn("tries", "count", "", "Steps that followed the direction."),
    TableColumn("gains", "count", "", "Those of them that were proven better."),
    TableColumn("losses", "count", "", "Those of them that were wrong or proven worse."),
    TableColumn("effect", "number", _LN, "Effect behind an item."),
    TableColumn("proven", "truth", "", "Whether this effect is proven."),
    TableColumn("evidence", "text", "", "What supports it."),
    TableColumn(
        "shown_to", "text", "", "Ids of candidates whose prompt has it, a space between two."
    ),
    TableColumn(
        "withheld", "count", "", "Prompts that leave it out: the program has nothing of it."
    ),
    TableColumn(
        "shown_gain", "number", _LN, "Proven effects of the candidates that it was shown to."
    ),
    TableColumn(
        "gain_per_1000",
        "number",
        _LN,
        "The same for 1,000 tokens of it; missing: it was shown to nobody.",
    ),
    TableColumn(
        "end",
        "text",
        "",
        "Why it is no more so: changed, compressed (the bank had no room), cut (the directions "
        "had none), told anew, dropped (by the lesson) or rolled back; missing: it still is.",
    ),
)

_RUNS = (
    _RUN,
    TableColumn("arm", "text", "", "Name of its arm; empty: its settings say so."),
    TableColumn("problem", "text", "", "Name of the problem."),
    TableColumn("seed", "count", "", "Seed of every random choice."),
    TableColumn("status", "text", "", "proven, not_proven, not_tried, interrupted or failed."),
    TableColumn("gain", "number", "ratio", "Initial / best on final inputs; missing: scored."),
    TableColumn("gain_low", "number", "ratio", "Lower end of its 99 % interval."),
    TableColumn("gain_high", "number", "ratio", "Upper end of it."),
    TableColumn("score", "number", "score", "Score of the best program on final inputs."),
    TableColumn("score_initial", "number", "score", "Score of the initial program."),
    TableColumn("evaluations", "count", "", "Candidates that were evaluated."),
    TableColumn("generations", "count", "", "Generations that were finished."),
    TableColumn("calls", "count", "", "Calls of models that got a reply."),
    TableColumn("tokens", "count", "tokens", "Tokens of these calls."),
    TableColumn(
        "money", "number", "currency of the run file", "Their cost; missing: not known."
    ),
    TableColumn("cpu_seconds", "number", "CPU s", "CPU seconds of engine and candidates."),
    TableColumn("budget_end", "text", "", "What ended the search."),
    TableColumn("machine", "text", "", "The machine that it began on; empty: not on record."),
    TableColumn("settings", "text", "JSON", "Settings that differ from the default."),
    TableColumn("folder", "text", "", "Path of the run folder."),
)

TABLES: Mapping[str, tuple[TableColumn, ...]] = {
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


@cache
def row_maker(table: str) -> Callable[[Iterable[object]], tuple[object, ...]]:
    """Return what makes a row of a table: a tuple whose columns have their names."""
    made: Any = namedtuple  # its fields are known at run time only
    row = made(table, names_of(table))
    row.__reduce__ = lambda self: (_made_row, (table, tuple(self)))
    return cast("Callable[[Iterable[object]], tuple[object, ...]]", row._make)


def _made_row(table: str, values: Iterable[object]) -> tuple[object, ...]:
    """Return a row that was pickled: its class has no name to be found by."""
    return row_maker(table)(values)
