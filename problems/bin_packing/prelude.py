"""Turns `priority` into tables. Nothing here is trusted: the scorer checks what comes out."""


def tables(shapes):
    """Per (capacity, largest item), row `item - 1`, column `remaining - item`."""
    return [
        [
            [priority(item, remaining, capacity) for remaining in range(item, capacity + 1)]
            for item in range(1, largest + 1)
        ]
        for capacity, largest in shapes
    ]
