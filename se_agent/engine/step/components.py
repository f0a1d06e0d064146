"""What a run is wired from; `se_agent.engine.run.start` chooses, the loop uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from se_agent.config.run_file import Run
from se_agent.engine.models.calls import Calling
from se_agent.engine.state.meter import Meter
from se_agent.memory.extraction import ModelCompressor
from se_agent.problem.model import Problem
from se_agent.protocols import Extractor, Operator
from se_agent.stats.sequential import SequentialRule


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of a run that are not measured with.

    Attributes:
        problem: What is solved.
        config: The run file.
        operators: By registered name.
        calls: Asks models.
        extractor: Distils lessons.
        compressor: Compresses what they add up to; None: the rules do.
        rule: Decides how many blocks a comparison takes.
        meter: Reads what was spent.
    """

    problem: Problem
    config: Run
    operators: Mapping[str, Operator]
    calls: Calling
    extractor: Extractor
    rule: SequentialRule
    meter: Meter
    compressor: ModelCompressor | None = None
