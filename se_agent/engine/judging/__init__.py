"""Is it right, is it better, may it be claimed: measured, compared, judged, confirmed.

`comparison` takes blocks until a rule has seen enough, `terms` says which rule that is, `judge`
makes a verdict of its decision, and `confirm` has the last word on what a run may claim. Not
here: what measures (evaluators), nor when a rule calls a gain proven
(`se_agent.stats.sequential`).
"""
