"""The schedule of blocks, and net times: how two programs are measured against each other.

Not here: reading a clock (`sandbox.server.running`).
"""
