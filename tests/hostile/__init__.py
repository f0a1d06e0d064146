"""Programs that mean harm, each between two honest neighbours, with its stated outcome.

`python -m tests.hostile` runs all of them by itself, also as an ordinary user, and writes the
table of `docs/attacks.md`. The programs are data; `yard` runs them.
"""
