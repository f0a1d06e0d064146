"""Best fit: into the fullest bin that has room. The two constants allow a little more."""

AWKWARD = 0  # tune: int 0..60
DISLIKE = 0.0  # tune: 0.0..100.0


def priority(item: int, remaining: int, capacity: int) -> float:
    room_left = remaining - item
    # Room that is too small for most items is as good as lost.
    if 0 < room_left < AWKWARD:
        return -float(room_left) - DISLIKE
    return -float(room_left)
