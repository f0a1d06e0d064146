"""Tuners: other values for the constants that a program marks, and marks for those it has not.

A tuner is a choice of the next values, given those that were tried (`Brief.history`). Not here:
changes of the program's structure.
"""
