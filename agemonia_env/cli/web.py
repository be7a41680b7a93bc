"""`agemonia web`: the site, served to this machine's browser."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]
PLACES = PACKAGE / "site", PACKAGE.parent / "build" / "site"  # in a wheel, in a checkout
HERE_ONLY = "127.0.0.1"


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves files quietly, with the types that browsers insist on."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        """Have the browser ask each time whether a file has changed."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_head(self) -> Any:
        """As usual; a path that no file can have, such as `/%00`, is not found."""
        try:
            return super().send_head()
        except ValueError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return None

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the terminal is for what concerns people."""


class SiteServer(ThreadingHTTPServer):
    """Says nothing of browsers that close a connection early."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the traceback of anything else."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def site_folder() -> Path:
    """Where the built site is. Raises ValueError that says how to build it."""
    for folder in PLACES:
        if (folder / "index.html").is_file():
            return folder
    raise ValueError("the site is not built: run `make site` in a checkout of the project")


def server_of(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server for this machine alone; port 0 = any free one. Raises ValueError if it is taken."""
    handler = partial(SiteHandler, directory=str(folder))
    try:
        return SiteServer((HERE_ONLY, port), handler)
    except OSError as error:
        raise ValueError(f"--port {port}: {error.strerror or error}; 0 takes a free one") from None


def serve(port: int, say: Callable[[str], None], open_page: Callable[[str], object] | None) -> None:
    """Serve the site until Ctrl-C, and open its first page unless `open_page` is None."""
    with server_of(site_folder(), port) as server:
        address = f"http://{HERE_ONLY}:{server.server_port}/"
        say(f"The site is at {address} until Ctrl-C.")
        if open_page:
            open_page(address)
        server.serve_forever()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder -> its address."""
    with server_of(folder, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
