"""Programs in other languages than Python: compiled once, in a jail, executed in another."""
