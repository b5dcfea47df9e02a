"""Show the built site on this machine alone."""

from __future__ import annotations

import functools
import http.server
import os
from pathlib import Path

from book.tools.places import SITE, Refusal, how_to_run

HOST = "127.0.0.1"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing; scripts get their right type even where the machine's own table is wrong."""

    extensions_map = {  # noqa: RUF012 -- as the base class declares it
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
    }

    def log_message(self, format: str, *args: object) -> None: ...


def site_server(port: int, site: Path | None = None, target: str = "serve") -> http.server.ThreadingHTTPServer:
    """A server for the built site, or for another one; port 0 means any free one."""
    site = site or SITE
    if not (site / "index.html").is_file():
        raise Refusal(f"There is no built site yet: run `{how_to_run('book')}` first.")
    # On Windows an address may be taken twice when reuse is allowed; there it must not be.
    http.server.ThreadingHTTPServer.allow_reuse_address = os.name != "nt"
    try:
        return http.server.ThreadingHTTPServer((HOST, port), functools.partial(Quiet, directory=str(site)))
    except OSError as error:
        another = how_to_run(target, f"PORT={port + 1}")
        raise Refusal(f"Port {port} is taken ({error.strerror}). Try another: {another}") from error


def wanted_port() -> int:
    wanted = os.environ.get("PORT", "8000")
    if not wanted.isdigit() or not 0 <= int(wanted) <= 65535:
        raise Refusal(f"PORT is {wanted!r}; it must be a number from 0 to 65535.")
    return int(wanted)


def serve() -> None:
    """Serve until interrupted."""
    with site_server(wanted_port()) as server:
        print(f"The book is at http://{HOST}:{server.server_address[1]}/ (stop with Ctrl-C)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
