"""Archetypes: functions that everybody writes, recognised by what they return.

`library/` holds fast programs for them, `archetype` says what a library function is.
Not here: rules that look at the text of a program, which are in `operators.rewrite`.
"""
