"""The search for an input on which a program differs from the initial one."""
