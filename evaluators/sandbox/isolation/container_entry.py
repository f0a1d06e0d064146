"""The first program in a container: calls who started it, then becomes the fork server.

No descriptor passes through `docker run`, so the control socket is made from inside, at a path
that both sides see. From there on all is as with a socket that was inherited. Run by path:
`python -I -S container_entry.py PATH COMMAND...`. The last word of the command is the number of
the socket.
"""

from __future__ import annotations

import os
import socket
import sys

_KEPT = ("LD_LIBRARY_PATH",)  # all else that the container's tools put there is none of a job's


def main(path: str, command: list[str]) -> None:
    """Connect, let go of the standard files, and execute the command.

    Raises:
        OSError: Nobody listens, or there is no such program.
    """
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.connect(path)
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    passed = os.dup(control.fileno())  # above the standard files, which were open
    os.set_inheritable(passed, True)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):  # they lead to the host's client, and would be its children's
        os.dup2(null, standard)
    os.execve(command[0], [*command, str(passed)], environment)  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
