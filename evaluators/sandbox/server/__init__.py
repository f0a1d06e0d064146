"""The parent's side of a jail: the fork server, its connection, the outcome of a job."""
