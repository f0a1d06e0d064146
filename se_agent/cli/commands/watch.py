"""`watch`: the report of a run in a browser, live, while the run goes on."""

from __future__ import annotations

from typing import Annotated

import typer

from se_agent.cli.commands.run import RunArgument
from se_agent.cli.long_wait import tell_long_wait
from se_agent.cli.run_path import run_folder
from se_agent.cli.screen import Screen


def watch(
    run: RunArgument,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of this machine; 0: a free one.")
    ] = 0,
    show_it: Annotated[bool, typer.Option("--open", help="Open it in a browser, too.")] = False,
) -> None:
    """Serve the report of a run to this machine, live, until Ctrl-C.

    The address has a token: nobody else can guess it. The run is read only.
    """
    import webbrowser

    from se_agent.report.html.server import LiveReport, LiveServer

    folder, screen = run_folder(run), Screen()
    live = LiveReport(folder)
    tell_long_wait([folder])
    live.read()  # a run that cannot be read is told here, not in the browser
    with LiveServer(live, port) as server:
        screen.offer("watch it at", server.address)
        screen.say("Ctrl-C ends it; the run goes on")
        if show_it and not webbrowser.open(server.address):
            screen.say("no browser could be started; open the address yourself")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            screen.say("ended; the run is as it was")
