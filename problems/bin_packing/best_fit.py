"""Best fit: into the fullest bin that has room."""


def priority(item: int, remaining: int, capacity: int) -> float:
    room_left = remaining - item
    return -float(room_left)
