"""Is it right, is it better, may it be claimed: measured, compared, judged, confirmed.

Not here: what measures (evaluators), nor the statistics of a rule
(`se_agent.stats.sequential`).
"""
