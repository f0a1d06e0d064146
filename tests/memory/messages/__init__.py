"""Tests of histories of messages."""
