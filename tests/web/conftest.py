"""The site that tests of pages look at, served to a browser."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from agemonia_env.cli.web import server_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def site():
    """The folder of the built site; `make test` builds it first, up to date."""
    folder = ROOT / "build" / "site"
    if not folder.is_dir():
        command = [sys.executable, ROOT / "web/build_site.py", "--out", folder]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def site_address(site):
    """Where the built site is served."""
    with server_of(site, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def chromium():
    """A browser; tests are skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        try:
            path = shutil.which("chromium") or shutil.which("google-chrome")
            browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"needs the browser Chromium: {error}")
        yield browser
        browser.close()
