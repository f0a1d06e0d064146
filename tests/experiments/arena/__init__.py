"""Tests of the market."""
