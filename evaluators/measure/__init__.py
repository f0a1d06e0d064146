"""The clock and the schedule of blocks: how two programs are measured against each other."""
