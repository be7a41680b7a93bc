"""`agemonia web` serves the site to this machine."""

import socket
import struct
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from typer.testing import CliRunner

from agemonia_env.cli import web
from agemonia_env.cli.main import app
from agemonia_env.cli.web import served


@pytest.fixture
def folder(tmp_path):
    """A site of three files."""
    for name in ("index.html", "page.mjs", "rules.wasm"):
        (tmp_path / name).write_text(name)
    return tmp_path


@pytest.fixture
def address(folder):
    """Where it is served."""
    with served(folder) as address:
        yield address


@pytest.mark.parametrize(
    ("name", "kind"),
    [("", "text/html"), ("page.mjs", "text/javascript"), ("rules.wasm", "application/wasm")],
)
def test_files_come_with_the_types_that_browsers_insist_on(address, name, kind):
    with urllib.request.urlopen(address + name) as response:
        assert response.read().decode() == (name or "index.html")
        assert response.headers.get_content_type() == kind


def test_nothing_outside_the_site_is_served(address):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(address + "../pyproject.toml")


def test_a_port_in_use_is_named(folder):
    with web.server_of(folder, 0) as server:
        port = server.server_port
        with pytest.raises(ValueError, match=rf"--port {port}: .*; 0 takes a free one"):
            web.server_of(folder, port)


def test_a_missing_site_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(web, "PLACES", (tmp_path,))
    done = CliRunner().invoke(app, ["web", "--no-browser"])
    assert done.exit_code == 2
    assert "run `make site`" in done.output


def test_the_page_is_opened(monkeypatch, folder):
    monkeypatch.setattr(web, "PLACES", (folder,))
    monkeypatch.setattr(web.ThreadingHTTPServer, "serve_forever", lambda self: None)
    said, opened = [], []
    web.serve(0, said.append, opened.append)
    assert opened[0] in said[0]


@pytest.mark.parametrize("path", ["%00", "a%00b", "%ed%a0%80", "a" * 5000, "..%00/"])
def test_a_path_that_no_file_can_have_is_not_found(address, path, capfd):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(address + path)
    assert "Traceback" not in capfd.readouterr().err


def test_a_browser_that_closes_early_is_no_error(address, folder, capfd):
    (folder / "large.bin").write_bytes(bytes(2**24))
    parts = urllib.parse.urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port)) as client:
        client.sendall(b"GET /large.bin HTTP/1.0\r\n\r\n")
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    urllib.request.urlopen(address).close()
    time.sleep(0.3)
    assert "Traceback" not in capfd.readouterr().err
