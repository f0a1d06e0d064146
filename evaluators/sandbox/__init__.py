"""Runs a candidate alone, where it cannot touch the clock, the checker or its neighbours."""
