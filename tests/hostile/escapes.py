"""Attacks on what lies outside: files, secrets, the network, other processes. Data only."""

from __future__ import annotations

from evaluators.sandbox.isolation.ordinary import environment
from tests.hostile.attack import HARMLESS, Attack, Place

NOT_THERE = dict.fromkeys(("namespace", "bubblewrap", "container"), "RE")
"""Where a program has a root of its own, what it may not read does not exist."""

FILES = (
    Attack(
        name="environment",
        tries="looks for keys in its environment",
        program="import os\ndef f(): return sorted(os.environ)",
        answer=sorted(environment("/")),
        ends=HARMLESS,
    ),
    Attack(
        name="environment-of-the-parent",
        tries="reads `/proc/<parent>/environ`",
        program="def f(): return open(f'/proc/{PPID}/environ').read()",
        ends="REJECTED",
        at=NOT_THERE,
    ),
    Attack(
        name="environment-of-the-fork-server",
        tries="reads the environment of the process that it was forked from",
        program="import os\ndef f(): return open(f'/proc/{os.getppid()}/environ').read()",
        ends="REJECTED",
    ),
    Attack(
        name="environment-of-init",
        tries="reads `/proc/1/environ`",
        program="def f(): return open('/proc/1/environ').read()",
        ends="REJECTED",
    ),
    Attack(
        name="environment-as-started",
        tries="reads the environment with which it was started",
        program="def f(): return open('/proc/self/environ').read()",
        ends="REJECTED",
        answer="".join(f"{name}={text}\0" for name, text in environment("/").items()),
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="password-file",
        tries="reads `/etc/passwd`",
        program="def f(): return open('/etc/passwd').read()",
        ends="REJECTED",
        at=NOT_THERE,
    ),
    Attack(
        name="script-password-file",
        tries="reads `/etc/passwd` as a script",
        program="print(open('/etc/passwd').read())",
        place=Place.SCRIPT,
        ends="REJECTED",
        at=NOT_THERE,
    ),
    Attack(
        name="home",
        tries="looks for files in home folders",
        program="""
        import os, sys
        def f():
            found = []
            for home in ("/root", "/home"):
                if home == "/root" and os.path.exists(home): os.listdir(home)
                for folder, names, files in os.walk(home):
                    names[:] = [n for n in names if folder.count("/") < 4 and n != ".pyenv"]
                    found += files
            return found
        """,
        ends="REJECTED",
        answer=[],
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="ssh-keys",
        tries="reads an SSH key that whoever runs it may read",
        program="def f(): return open(OWNED).read()",
        ends="REJECTED",
        at=NOT_THERE,
    ),
    Attack(
        name="root-folder",
        tries="looks for the folders of the machine",
        program="""
        import os
        def f():
            return sorted({"boot", "home", "opt", "run", "var"} & set(os.listdir("/")))
        """,
        ends="REJECTED",
        answer=[],
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="our-files",
        tries="reads the problem, its checker and our code",
        program="def f(): return open(OURS).read()",
        ends="REJECTED",
        at=NOT_THERE,
    ),
    Attack(
        name="writes-outside",
        tries="writes a file outside",
        program="def f():\n with open(ESCAPED, 'w') as file: file.write('x')\n return 1",
        ends="REJECTED",
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="writes-to-the-library",
        tries="changes the standard library for its neighbours",
        program="import json\ndef f(): open(json.__file__, 'a').write('x = 1')",
        ends="REJECTED",
    ),
    Attack(
        name="makes-a-folder",
        tries="makes a folder",
        program="import os\ndef f(): return os.mkdir(ESCAPED) or 1",
        ends="REJECTED",
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="removes-and-renames",
        tries="removes, renames, links and changes files of ours",
        program="""
        import os
        def f():
            for wish in (
                lambda: os.unlink(OURS), lambda: os.rename(OURS, OURS + "x"),
                lambda: os.link(OURS, ESCAPED), lambda: os.chmod(OURS, 0o777),
                lambda: os.truncate(OURS, 0), lambda: os.utime(OURS),
            ):
                try: wish()
                except OSError: continue
                return "granted"
            raise PermissionError(1, "all of it was refused")
        """,
        ends="REJECTED",
    ),
    Attack(
        name="page-cache",
        tries="empties the page cache, to make the next program slow",
        program="""
        import os
        def f():
            os.posix_fadvise(os.open(os.__file__, 0), 0, 0, os.POSIX_FADV_DONTNEED)
        """,
        ends="REJECTED",
    ),
    Attack(
        name="page-cache-as-a-letterbox",
        tries="asks which pages are in memory: a message of an earlier process",
        program="""
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        def f():
            libc.mincore(None, 4096, ctypes.create_string_buffer(1))
            raise OSError(ctypes.get_errno(), "asked")
        """,
        ends="REJECTED",
    ),
    Attack(
        name="access-times-as-a-letterbox",
        tries="reads files, to tell the next run by when they were read",
        program="""
        import os, sys
        def f():
            folder = os.path.dirname(os.__file__)
            files = [f'{folder}/{name}.py' for name in sys.stdlib_module_names]
            files = [name for name in files if os.path.exists(name)]
            before = [os.stat(name).st_atime_ns for name in files]
            for name in files:
                with open(name, 'rb') as file: file.read()
            return 1 + sum(os.stat(n).st_atime_ns != then for n, then in zip(files, before))
        """,
        ends=HARMLESS,
    ),
    *(
        Attack(
            name=f"pages-{name}",
            tries=f"tells the kernel to move pages of a shared file {name}",
            program=f"""
            import mmap
            def f():
                with open(mmap.__spec__.origin, 'rb') as file:
                    mmap.mmap(file.fileno(), 4096, prot=1).madvise({advice})
            """,
            ends="REJECTED",
        )
        for name, advice in (("cold", 20), ("out", 21), ("in", 22))
    ),
)

NETWORK = (
    Attack(
        name="tcp",
        tries="connects to a server",
        program="import socket\ndef f(): socket.create_connection(('127.0.0.1', 9))",
        ends="REJECTED",
    ),
    Attack(
        name="udp",
        tries="sends a datagram",
        program="import socket\ndef f(): socket.socket(type=socket.SOCK_DGRAM)",
        ends="REJECTED",
    ),
    Attack(
        name="unix-socket",
        tries="opens a UNIX socket",
        program="import socket\ndef f(): socket.socket(socket.AF_UNIX)",
        ends="REJECTED",
    ),
    Attack(
        name="abstract-socket",
        tries="connects to an abstract socket, which no file permission guards",
        program="""
        import socket
        def f(): socket.socket(socket.AF_UNIX).connect("\\0se-agent")
        """,
        ends="REJECTED",
    ),
    Attack(
        name="raw-and-netlink",
        tries="opens raw, packet and netlink sockets",
        program="""
        import socket
        def f():
            for family, kind in ((2, 3), (10, 3), (17, 3), (16, 3), (40, 1)):
                try: socket.socket(family, kind)
                except PermissionError as err: refused = err
                else: return "granted"
            raise refused
        """,
        ends="REJECTED",
    ),
    Attack(
        name="socketpair",
        tries="makes a pair of sockets",
        program="import socket\ndef f(): return bool(socket.socketpair()) + 0",
        ends="REJECTED",
        at={"namespace": HARMLESS},
    ),
)

PROCESSES = (
    Attack(
        name="kills-the-fork-server",
        tries="kills its parent",
        program="import os\ndef f(): os.kill(os.getppid(), 9)",
        ends="REJECTED",
    ),
    Attack(
        name="kills-us",
        tries="kills the engine",
        program="import os\ndef f(): os.kill(PPID, 9)",
        ends="REJECTED",
        at={"namespace": "RE"},
    ),
    Attack(
        name="kills-everyone",
        tries="kills every process that it may",
        program="import os\ndef f(): os.kill(-1, 9)",
        ends="REJECTED",
        at={"namespace": "RE"},
    ),
    Attack(
        name="kills-its-group",
        tries="kills its process group",
        program="import os\ndef f(): os.killpg(0, 9)",
        ends="REJECTED",
        at={"namespace": "RE"},
    ),
    Attack(
        name="signals-through-a-descriptor",
        tries="has the kernel signal us when its socket is written to",
        program="import fcntl\ndef f(): fcntl.fcntl(3, fcntl.F_SETOWN, PPID)",
        ends="REJECTED",
    ),
    Attack(
        name="ptrace",
        tries="traces its parent",
        program="""
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        def f():
            if libc.ptrace(16, os.getppid(), 0, 0):
                raise OSError(ctypes.get_errno(), "ptrace")
        """,
        ends="REJECTED",
    ),
    Attack(
        name="memory-of-the-parent",
        tries="reads `/proc/<parent>/mem`",
        program="def f(): open(f'/proc/{PPID}/mem', 'rb')",
        ends="REJECTED",
        at=NOT_THERE,
    ),
    Attack(
        name="memory-by-system-call",
        tries="reads the memory of the engine and of the fork server by `process_vm_readv`",
        program="""
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        def f():
            for pid in (PPID, os.getppid()):
                if libc.process_vm_readv(pid, None, 0, None, 0, 0) == 0: return "granted"
            raise OSError(ctypes.get_errno(), "process_vm_readv")
        """,
        ends="REJECTED",
    ),
    Attack(
        name="lists-processes",
        tries="looks for other processes",
        program="import os\ndef f(): return sum(n.isdigit() for n in os.listdir('/proc'))",
        ends="REJECTED",
        answer=2,
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="limits-of-the-parent",
        tries="changes the limits of its parent",
        program=(
            "import os, resource\n"
            "def f(): resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))"
        ),
        ends="REJECTED",
    ),
    Attack(
        name="limits-by-a-high-address",
        tries="slips new limits past a filter that looks at half of an address",
        program="""
        import ctypes, mmap
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, *[ctypes.c_long] * 5]
        def f():
            place = libc.mmap(1 << 32, 4096, 3, 0x100022, -1, 0)
            assert place == 1 << 32
            if libc.prlimit(0, 7, ctypes.c_void_p(place), None):
                raise OSError(ctypes.get_errno(), "refused")
        """,
        ends="REJECTED",
    ),
    Attack(
        name="exotic-system-calls",
        tries=(
            "tries mount, unshare, keyctl, bpf, perf, io_uring, userfaultfd, pidfd_getfd, "
            "shared memory, message queues, modules, reboot"
        ),
        program="""
        import ctypes, errno, os
        libc = ctypes.CDLL(None, use_errno=True)
        X86 = 165, 272, 250, 321, 298, 425, 323, 438, 29, 240, 175, 169, 161, 155, 101, 310
        ARM = 40, 97, 219, 280, 241, 425, 282, 438, 194, 180, 105, 142, 51, 41, 117, 270
        def f():
            granted = []
            for number in {"x86_64": X86, "aarch64": ARM}[os.uname().machine]:
                if libc.syscall(number, -1, -1, -1, -1, -1, -1) != -1: granted.append(number)
                elif ctypes.get_errno() != errno.EPERM: granted.append(number)
            return granted
        """,
        answer=[],
        ends=HARMLESS,
    ),
    Attack(
        name="foreign-system-calls",
        tries="calls the kernel by the numbers of another interface (x32)",
        program="""
        import ctypes, errno
        libc = ctypes.CDLL(None, use_errno=True)
        def f():
            if libc.syscall(0x40000000 + 57) != -1: return "granted"
            raise OSError(ctypes.get_errno(), "x32")
        """,
        ends="REJECTED",
    ),
    Attack(
        name="profiling-timer",
        tries="arms the timer that makes the kernel count its time in ticks",
        program="import signal\ndef f(): signal.setitimer(2, 1)",
        ends="REJECTED",
    ),
)
