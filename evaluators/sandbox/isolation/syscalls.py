"""System-call numbers, by name, of the two architectures we know. Data only.

An architecture that never had a call has None there: arm64 has only the newer of many pairs.
What is not listed is refused; `seccomp` makes the filters.
"""

from __future__ import annotations

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Per machine name, the column of the tables below and the kernel's audit number."""

PURE: dict[str, tuple[int | None, int | None]] = {
    "alarm": (37, None),  # refused it would be silent: who sets one must be seen
    "access": (21, None),
    "arch_prctl": (158, None),
    "brk": (12, 214),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "close": (3, 57),
    "close_range": (436, 436),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "fstat": (5, 80),
    "fstatfs": (138, 44),
    "ftruncate": (77, 46),
    "futex": (202, 98),
    "get_robust_list": (274, 100),
    "getcpu": (309, 168),
    "getcwd": (79, 17),
    "getdents64": (217, 61),
    "getegid": (108, 177),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getgroups": (115, 158),
    "getpgid": (121, 155),
    "getpgrp": (111, None),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getrandom": (318, 278),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getsid": (124, 156),
    "gettid": (186, 178),
    "gettimeofday": (96, 169),
    "getuid": (102, 174),
    "lseek": (8, 62),
    "lstat": (6, None),
    "membarrier": (324, 283),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "msync": (26, 227),
    "munmap": (11, 215),
    "nanosleep": (35, 101),
    "newfstatat": (262, 79),
    "open": (2, None),
    "openat": (257, 56),
    "pause": (34, None),
    "poll": (7, None),
    "ppoll": (271, 73),
    "pread64": (17, 67),
    "preadv": (295, 69),
    "pselect6": (270, 72),
    "pwrite64": (18, 68),
    "pwritev": (296, 70),
    "read": (0, 63),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "readv": (19, 65),
    "restart_syscall": (219, 128),
    "rseq": (334, 293),
    "rt_sigaction": (13, 134),
    "rt_sigpending": (127, 136),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigsuspend": (130, 133),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "sched_yield": (24, 124),
    "select": (23, None),
    "set_robust_list": (273, 99),
    "set_tid_address": (218, 96),
    "sigaltstack": (131, 132),
    "stat": (4, None),
    "statfs": (137, 43),
    "statx": (332, 291),
    "sysinfo": (99, 179),
    "time": (201, None),
    "times": (100, 153),
    "uname": (63, 160),
    "write": (1, 64),
    "writev": (20, 66),
}
"""What computing needs: memory, own files, own signals, clocks to read, sleeping. Nothing that
tells or changes which pages of a file are in memory: that would outlive the process."""

BY_ARGUMENT: dict[str, tuple[int | None, int | None]] = {
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "madvise": (28, 233),
}
"""Allowed with some values of one argument only; see `COMMANDS`."""

COMMANDS: dict[str, tuple[int, tuple[int, ...]]] = {
    "ioctl": (1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    "fcntl": (1, (0, 1, 2, 3, 4, 1030, 1032, 1034)),
    "madvise": (2, (0, 1, 2, 3, 4, 8, 14, 15)),
}
"""The argument, from 0, and its values. `ioctl` may ask for the terminal, its size, the bytes
to read, blocking or closing on exec; `fcntl` for duplicates, flags, pipe size, seals,
but not set the owner that it would send signals to; `madvise` concerns own memory, never what
moves pages of files in and out."""

PRLIMIT = (302, 261)
"""`prlimit64`, of which a child keeps a part."""

STARTING: dict[str, tuple[int | None, int | None]] = {
    "clone": (56, 220),
    "execveat": (322, 281),
    "fork": (57, None),
    "prctl": (157, 167),
    "prlimit64": PRLIMIT,
    "recvmsg": (47, 212),
    "seccomp": (317, 277),
    "sendmsg": (46, 211),
    "setrlimit": (160, 164),
    "setsid": (112, 157),
    "tgkill": (234, 131),
    "vfork": (58, None),
    "wait4": (61, 260),
    "waitid": (247, 95),
}
"""What the fork server and the first moments of a child need besides; then taken away."""

LIMITING: dict[str, tuple[int | None, int | None]] = {
    "capset": (126, 91),
    "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "mount": (165, 40),
    "prlimit64": PRLIMIT,
    "seccomp": (317, 277),
    "setrlimit": (160, 164),
}
"""What it takes to make a namespace of its own for a job, and to lock it; then taken away."""

SIGACTION, CLONE, CLONE3 = (13, 134), (56, 220), (435, 435)
"""`rt_sigaction`, and two ways to start a thread or a process: a worker keeps them in part."""

WORKING: dict[str, tuple[int | None, int | None]] = {
    "chdir": (80, 49),
    "chmod": (90, None),
    "copy_file_range": (326, 285),
    "creat": (85, None),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441),
    "epoll_wait": (232, None),
    "eventfd": (284, None),
    "eventfd2": (290, 19),
    "execve": (59, 221),
    "fallocate": (285, 47),
    "fchdir": (81, 50),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fdatasync": (75, 83),
    "fgetxattr": (193, 10),
    "flistxattr": (196, 13),
    "flock": (73, 32),
    "fsync": (74, 82),
    "futex_waitv": (449, 449),
    "getdents": (78, None),
    "getpeername": (52, 205),
    "getsockname": (51, 204),
    "getsockopt": (55, 209),
    "getxattr": (191, 8),
    "kill": (62, 129),
    "lgetxattr": (192, 9),
    "link": (86, None),
    "linkat": (265, 37),
    "listxattr": (194, 11),
    "llistxattr": (195, 12),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "openat2": (437, 437),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "recvfrom": (45, 207),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "rmdir": (84, None),
    "rt_sigtimedwait": (128, 137),
    "sendfile": (40, 71),
    "sendto": (44, 206),
    "setpgid": (109, 154),
    "setsockopt": (54, 208),
    "shutdown": (48, 210),
    "signalfd4": (289, 74),
    "socketpair": (53, 199),
    "symlink": (88, None),
    "symlinkat": (266, 36),
    "timerfd_create": (283, 85),
    "timerfd_gettime": (287, 87),
    "timerfd_settime": (286, 86),
    "tkill": (200, 130),
    "truncate": (76, 45),
    "umask": (95, 166),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "utimensat": (280, 88),
}
"""What threads, children and files need besides, at the level that has room for them. Nothing
that outlives the job (System V memory, message queues), and no socket that can be connected."""

WORKING_COMMANDS: dict[str, tuple[int, tuple[int, ...]]] = {
    **COMMANDS,
    "fcntl": (1, (*COMMANDS["fcntl"][1], 5, 6, 7, 36, 37, 38, 1031)),
}
"""As `COMMANDS`, with locks on files and sizes of pipes."""

PRCTL, SETITIMER = (157, 167), (38, 103)
NAMING = (3, 15, 16, 39)
"""What a worker may ask of `prctl`: names, and what it may not do itself."""

ON_OTHERS: dict[str, tuple[tuple[int, int], int]] = {
    "prlimit64": (PRLIMIT, 1),
    "sched_setaffinity": ((203, 122), 1),
    "sched_setattr": ((314, 274), 1),
    "sched_setparam": ((142, 118), 1),
    "sched_setscheduler": ((144, 119), 1),
    "setpriority": ((141, 140), 2),
}
"""What changes a process that is named by number, any of the same user: numbers, and how many
arguments are 0 where it is the caller."""

LASTING: dict[str, tuple[int | None, int | None]] = {
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "semget": (64, 190),
    "shmget": (29, 194),
}
"""What makes something in the kernel that stays there when its maker has ended."""

REACHING: dict[str, tuple[int | None, int | None]] = {
    "bind": (49, 200),
    "bpf": (321, 280),
    "connect": (42, 203),
    "io_uring_setup": (425, 425),
    "mount": (165, 40),
    "perf_event_open": (298, 241),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "socket": (41, 198),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
"""What reaches beyond the process: the network, other processes, mounts, the kernel itself."""
