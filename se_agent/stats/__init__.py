"""Statistics of measurements and of costs. Pure, but for the clocks of processes."""
