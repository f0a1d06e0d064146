"""Best fit that avoids gaps which hardly any item can fill."""

SNUG = 1  # tune: int 0..10
ROOMY = 4  # tune: int 0..60


def priority(item: int, remaining: int, capacity: int) -> float:
    left = remaining - item
    if SNUG < left < ROOMY:
        # Better a new bin than such a gap.
        return -1000.0 - left
    return -float(left)
