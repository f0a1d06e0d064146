"""Large outputs, each kept whole under the hash of its content (SQ-08)."""
