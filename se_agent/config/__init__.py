"""The run file: its sections, where their values come from, and what may change later."""
