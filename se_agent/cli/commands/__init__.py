"""The commands, one file for each. `se_agent.cli.app` lists them.

Not here: what several of them share (`se_agent.cli`).
"""
