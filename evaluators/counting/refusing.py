"""Refuses a counted program what would let it forge its count: machine code of its own.

Valgrind does what is asked for by a certain sequence of machine instructions, and shares the
address space of the program. Python runs no such code unless a program brings some, or writes
to addresses of its choice. Python's audit hooks can be taken away by nothing that runs in
Python. This one looks up no name on its way to a decision: a program could replace what it
finds there. Whatever else goes wrong in it refuses, too.
"""

from __future__ import annotations

from typing import Any  # arguments of audit events


def refuse_machine_code(event: str, given: tuple[Any, ...]) -> None:
    """Refuse what brings machine code in, or leads to it; an audit hook.

    That is ctypes and its like, extension modules from elsewhere than Python's own, executable
    memory, code objects that no compiler made, another interpreter, another program, and
    writing files: into the memory of the process, or as an extension module.

    Raises:
        PermissionError: It is such an event.
    """
    if event == "import":
        # A subclass of str may answer as it likes: asked are the methods of str itself.
        name = "".__class__.__str__(given[0])
        wrong = name.partition(".")[0] in {
            "ctypes", "_ctypes", "_ctypes_test", "cffi", "_cffi_backend", "_testcapi",
            "_testinternalcapi", "_testlimitedcapi", "_testbuffer", "_testmultiphase",
            "_interpreters", "_xxsubinterpreters",
        }  # fmt: skip
        if given[1] is not None:
            wrong = wrong or "/lib-dynload/" not in "".__class__.__str__(given[1])
    elif event == "open":  # 0o103: for writing, or made where it is not there
        wrong = given[0].__class__ is not (0).__class__ and given[2] & 0o103 != 0
    elif event == "object.__setattr__":
        wrong = given[1] == "__code__"
    else:
        wrong = event.startswith("ctypes.") or event in {
            "code.__new__", "cpython.PyInterpreterState_New", "mmap.__new__", "os.exec",
            "os.fork", "os.forkpty", "os.link", "os.mkdir", "os.posix_spawn", "os.rename",
            "os.symlink", "os.system", "sqlite3.enable_load_extension", "subprocess.Popen",
        }  # fmt: skip
    if wrong:
        raise PermissionError(1, "machine code of its own is not counted")
