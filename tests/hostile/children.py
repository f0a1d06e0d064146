"""Attacks by threads, children and limits. Data only."""

from __future__ import annotations

from tests.hostile.attack import HARMLESS, Attack, Place

PROCESSES = (
    Attack(
        name="forks",
        tries="starts a process",
        program="import os\ndef f():\n if os.fork() == 0: os._exit(0)\n os.wait()\n return 1",
        ends="REJECTED",
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="fork-bomb",
        tries="starts processes without end",
        program="import os\ndef f():\n while True: os.fork()",
        ends="REJECTED",
        at={"namespace": "RE"},
    ),
    Attack(
        name="stubborn-fork-bomb",
        tries="starts processes without end, whatever it is told",
        program="""
        import os
        def f():
            while True:
                try: os.fork()
                except OSError: pass
        """,
        ends="TLE",
    ),
    Attack(
        name="thread",
        tries="starts a thread",
        program="import threading\ndef f(): return threading.Thread(target=print).start() or 1",
        ends="REJECTED",
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="thread-bomb",
        tries="starts threads without end",
        program="""
        import threading, time
        def f():
            while True: threading.Thread(target=time.sleep, args=(99,)).start()
        """,
        ends="REJECTED",
    ),
    Attack(
        name="script-forks",
        tries="starts a process as a script",
        program="import os\nos.fork()",
        place=Place.SCRIPT,
        answer=b"",
        ends="REJECTED",
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="daemon",
        tries="leaves a process behind that is in no session of ours",
        program="""
        import os, time
        def f():
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    time.sleep(3600)
                os._exit(0)
            return 1
        """,
        ends="REJECTED",
        at={"namespace": HARMLESS},
    ),
    Attack(
        name="subprocess",
        tries="runs another program",
        program="import subprocess\ndef f(): subprocess.run(['/bin/true'])",
        ends="REJECTED",
        at={"namespace": "RE"},
    ),
    Attack(
        name="executes",
        tries="becomes another program",
        program="import os\ndef f(): os.execv('/bin/true', ['true'])",
        ends="REJECTED",
        at={"namespace": "RE"},
    ),
    Attack(
        name="raises-its-limits",
        tries="gives itself more CPU time",
        program="""
        import resource
        def f():
            try: resource.setrlimit(resource.RLIMIT_CPU, (99, 99))
            except ValueError as err: raise PermissionError(1, str(err)) from err
        """,
        ends="REJECTED",
    ),
    Attack(
        name="raises-its-priority",
        tries="takes another processor, another priority, another schedule",
        program="""
        import os
        def f():
            for wish in (
                lambda: os.sched_setaffinity(0, {0}),
                lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
                lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
            ):
                try: wish()
                except OSError as err: refused = err
                else: return "granted"
            raise refused
        """,
        ends="REJECTED",
    ),
)
