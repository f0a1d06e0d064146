"""se_agent: evolve faster programs, prove every gain, remember what worked."""

from se_agent.types import Comparison, Evaluation, Proposal, Solution, Status, Verdict

__all__ = ["Comparison", "Evaluation", "Proposal", "Solution", "Status", "Verdict"]
__version__ = "0.1.0"
