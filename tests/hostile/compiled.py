"""Attacks by programs in C++, while they are compiled and while they run. Data only."""

from __future__ import annotations

from tests.hostile.attack import CAUGHT_LATER, HARMLESS, NO_GAIN, SLOWER, WAITS, Attack, Place

HEAD = """\
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

static int xs[100000], n;

static void listen() {
    while (n < 100000 && scanf("%d", &xs[n]) == 1) n++;
}

static int counted() {
    int found = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < i && xs[j] != xs[i]) j++;
        found += j == i;
    }
    return found;
}

static int quickly() {
    std::sort(xs, xs + n);
    return std::unique(xs, xs + n) - xs;
}

static void say(int number) { printf("%d\\n", number); }
"""
"""Texts of the programs; `counted` is what the initial one does."""

_SPIN = "for (volatile int i = 0;;) i = 1;"

INITIAL = f"{HEAD}\nint main() {{ listen(); say(counted()); }}\n"


def _program(
    name: str,
    tries: str,
    body: str,
    ends: str = HARMLESS,
    *,
    place: Place = Place.COMPILED,
    at: dict[str, str] | None = None,
    before: str = "",
    after: str = "",
    says: str = "",
) -> Attack:
    text = f"{before}{HEAD}{after}\nint main() {{\n{body}\n}}\n"
    return Attack(
        name=f"cpp-{name}", tries=tries, program=text, ends=ends, place=place, at=at or {},
        says=says,
    )  # fmt: skip


def _attempt(name: str, tries: str, attempt: str, **more: object) -> Attack:
    """Return a program that answers wrongly once it is granted what it attempts."""
    body = f"bool granted = false;\n{attempt}\nlisten();\nsay(granted ? -1 : counted());"
    return _program(name, tries, body, **more)  # type: ignore[arg-type]


def _source(name: str, tries: str, before: str, says: str) -> Attack:
    """Return a program that is not to be compiled, for the reason given."""
    return _program(name, tries, "say(2);", "CE", before=before, says=says)


ENDINGS = (
    _program("endless", "never ends", _SPIN, "TLE"),
    _program(
        "endless-and-deaf",
        "never ends, and ignores signals",
        f"for (int s = 1; s < 65; s++) signal(s, SIG_IGN);\n{_SPIN}",
        "TLE",
    ),
    _program("sleeps", "sleeps", "for (;;) pause();", "TLE"),
    _program(
        "answers-then-spins",
        "answers, closes its output and goes on",
        f"listen(); say(counted()); fflush(stdout); close(1);\n{_SPIN}",
        "TLE",
    ),
    _program("segfault", "reads where nothing is", "return *(volatile int *)8;", "RE"),
    _program("aborts", "aborts", "abort();", "RE"),
    _program(
        "deep-recursion",
        "calls itself without end",
        "say(deep(1));",
        "RE",
        before="static int deep(volatile int n) { volatile char room[999]; room[n % 9] = 1; "
        "return deep(n + 1) + room[3]; }\n",
    ),
    _program(
        "fifty-gigabytes",
        "takes 50 GB",
        "char *volatile p = new char[50L << 30]; memset(p, 1, 50L << 30); say(p[9]);",
        "MLE",
    ),
    _program(
        "four-times-500-mb",
        "takes 500 MB four times",
        "for (int k = 0; k < 4; k++) memset(new char[500 << 20], k, 500 << 20);\nsay(2);",
        "MLE",
    ),
    _program(
        "prints-without-end", "prints without end", 'for (;;) puts("xxxxxxxxxxxxxxxx");', "RE"
    ),
    _program(
        "complains-without-end",
        "writes errors without end",
        'for (;;) fputs("xxxxxxxxxxxxxxxx", stderr);',
        "RE",
    ),
)

CHILDREN = (
    _program(
        "forks",
        "starts a process",
        "if (fork() == 0) _exit(0);\nlisten(); say(counted());",
    ),
    _program("fork-bomb", "starts processes without end", "for (;;) fork();", "TLE"),
    _program(
        "daemon",
        "leaves a process behind that is in no session of ours",
        "if (fork() == 0) { setsid(); if (fork() == 0) sleep(3600); _exit(0); }\n"
        "listen(); say(counted());",
    ),
    _program(
        "executes",
        "becomes another program",
        'execl("/bin/true", "true", (char *)nullptr);\nlisten(); say(counted());',
    ),
    _program(
        "thread",
        "has a thread do its work",
        "std::thread([] { listen(); say(counted()); }).join();",
        "RE",
        at={"namespace": NO_GAIN},
        place=Place.COMPILED_MEASURED,
        before="#include <thread>\n",
    ),
    _attempt(
        "raises-its-limits",
        "gives itself more time and memory",
        "rlimit most{RLIM_INFINITY, RLIM_INFINITY};\n"
        "for (auto what : {RLIMIT_CPU, RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_CORE})\n"
        "    granted |= setrlimit(what, &most) == 0;",
    ),
    _attempt(
        "raises-its-priority",
        "takes another processor, another priority, another schedule, a profiling timer",
        "cpu_set_t one; CPU_ZERO(&one); CPU_SET(0, &one);\n"
        "sched_param first{}; first.sched_priority = 1;\n"
        "itimerval tick{{0, 900}, {0, 900}};\n"
        "granted = sched_setaffinity(0, sizeof one, &one) == 0\n"
        "    || setpriority(PRIO_PROCESS, 0, -20) == 0\n"
        "    || sched_setscheduler(0, SCHED_FIFO, &first) == 0\n"
        "    || setitimer(ITIMER_PROF, &tick, nullptr) == 0;",
    ),
)

OUTSIDE = (
    _attempt(
        "secrets",
        "reads a key in the home, our files, passwords, and the environment of its parent, "
        "of init and its own",
        'for (auto path : {OWNED, OURS, "/etc/passwd", "/etc/shadow", "/proc/PPID/environ",\n'
        '                  "/proc/1/environ"}) {\n'
        "    char byte;\n"
        "    int file = open(path, O_RDONLY);\n"
        "    granted |= file >= 0 && read(file, &byte, 1) == 1;\n"
        "}\n"
        "for (char **at = environ; *at; at++)\n"
        '    granted |= !strncmp(*at, "LD_", 3) || strstr(*at, "KEY") || strstr(*at, "TOKEN");',
    ),
    _attempt(
        "writes-outside",
        "writes a file outside",
        "int file = open(ESCAPED, O_WRONLY | O_CREAT, 0600);\n"
        'granted = file >= 0 && write(file, "x", 1) != 1;',
    ),
    _attempt(
        "rewrites-itself",
        "changes its own program, for the runs to come",
        'for (int how : {O_WRONLY, O_RDWR}) granted |= open("/proc/self/exe", how) >= 0;',
    ),
    _attempt(
        "sockets",
        "opens TCP, UDP, UNIX, raw, packet and netlink sockets",
        "for (int family : {AF_INET, AF_INET6, AF_UNIX, AF_PACKET, AF_NETLINK})\n"
        "    for (int kind : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW})\n"
        "        granted |= socket(family, kind, 0) >= 0;",
    ),
    _attempt(
        "kills",
        "kills its parent, the engine, and whom else it may",
        "granted = kill(getppid(), 9) == 0 || kill(PPID, 9) == 0 || kill(-1, 9) == 0;",
    ),
    _attempt(
        "traces",
        "traces its parent, and reads the memory of the engine",
        "granted = ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0\n"
        "    || ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0;\n"
        "for (int pid : {PPID, getppid()})\n"
        "    granted |= syscall(SYS_process_vm_readv, pid, 0, 0, 0, 0, 0) == 0;",
    ),
    _attempt(
        "exotic-system-calls",
        "tries mount, unshare, keyctl, bpf, perf, io_uring, userfaultfd, shared memory, "
        "message queues",
        "for (long number : {SYS_mount, SYS_unshare, SYS_keyctl, SYS_bpf, SYS_msgget,\n"
        "                    SYS_perf_event_open, SYS_io_uring_setup, SYS_userfaultfd,\n"
        "                    SYS_shmget})\n"
        "    granted |= syscall(number, 0, 4096, 0600, 0, 0) != -1;",
    ),
)

ANSWERS = (
    _program(
        "lies-well-everywhere",
        "has its loop lie well in memory at all places, against one that is moved",
        "listen(); say(aligned());",
        NO_GAIN,
        place=Place.COMPILED_MEASURED,
        after="__attribute__((aligned(64), noinline)) static int aligned() {\n"
        '    asm(".p2align 6"); return counted();\n}\n',
    ),
    _program(
        "every-descriptor",
        "writes another answer to every descriptor",
        'for (int fd = 3; fd < 256; fd++) write(fd, "9\\n", 2);\nlisten(); say(counted());',
    ),
    _program(
        "answers-twice",
        "answers once more as it ends",
        "atexit([] { say(9); });\nlisten(); say(counted());",
        "WA",
    ),
    _program(
        "answers-a-float",
        "hopes that a float will do",
        'listen(); printf("%d.0000001\\n", counted());',
        "WA",
    ),
    _program(
        "hard-coded",
        "is right on inputs that are as small as the visible ones",
        "listen(); say(n > 50 ? 7 : counted());",
        CAUGHT_LATER,
        place=Place.COMPILED_MEASURED,
    ),
    _program(
        "caches-in-files",
        "keeps answers in files for the runs to come",
        'const char *folders[] = {"/tmp", "/dev/shm", "/var/tmp", "/run", "."};\n'
        "char path[99]; int known;\n"
        "listen();\n"
        "for (auto folder : folders) {\n"
        '    snprintf(path, sizeof path, "%s/seen-%d-%d-%d", folder, n, xs[0], xs[n / 2]);\n'
        '    FILE *file = fopen(path, "r");\n'
        '    if (file && fscanf(file, "%d", &known) == 1) return say(known), 0;\n'
        "}\n"
        "say(known = counted());\n"
        "for (auto folder : folders) {\n"
        '    snprintf(path, sizeof path, "%s/seen-%d-%d-%d", folder, n, xs[0], xs[n / 2]);\n'
        '    if (FILE *file = fopen(path, "w")) { fprintf(file, "%d", known); fclose(file); }\n'
        "}",
        NO_GAIN,
        place=Place.COMPILED_MEASURED,
    ),
    _program(
        "works-after-the-answer",
        "answers quickly, closes its output, and works then",
        "listen(); say(quickly()); fflush(stdout); close(1);\n"
        "for (volatile int i = 0; i < 90000000;) i = i + 1;",
        SLOWER,
        place=Place.COMPILED_MEASURED,
    ),
    _program(
        "waits-instead",
        "waits instead of computing",
        "usleep(300000); listen(); say(quickly());",
        WAITS,
        place=Place.COMPILED_MEASURED,
    ),
)

SOURCES = (
    _source(
        "includes-a-key",
        "has the compiler read a key in the home",
        "#include OWNED\n",
        "denied",
    ),
    _source(
        "embeds-a-key",
        "has the assembler put a key into the program",
        'asm(".incbin \\"" OWNED "\\"");\n',
        "file not found",
    ),
    _source(
        "includes-the-environment",
        "has the compiler read its own environment",
        '#include "/proc/self/environ"\n',
        "denied",
    ),
    _source("includes-itself", "includes itself without end", "#include __FILE__\n", "nested"),
    _source(
        "endless-templates",
        "has the compiler make types without end",
        "template <int N> struct Next { static constexpr int value = Next<N + 1>::value; };\n"
        "static int last = Next<0>::value;\n",
        "instantiation depth",
    ),
    _source(
        "plugin",
        "asks for a flag that loads code into the compiler",
        "// flags: -fplugin=/tmp/plugin.so\n",
        "not allowed",
    ),
    _source(
        "hundred-megabytes",
        "makes a program of 100 MB",
        "extern char filled[100 << 20]; char filled[100 << 20] = {1};\n",
        "File too large",
    ),
)

ATTACKS = (*ENDINGS, *CHILDREN, *OUTSIDE, *ANSWERS, *SOURCES)
