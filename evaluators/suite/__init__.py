"""The user's own tests as a gate: run by pytest on a copy, shut in as far as tests allow."""
