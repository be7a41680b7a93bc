"""The site that tests of pages look at, served to a browser."""

import subprocess
import sys
from pathlib import Path

import pytest

from agemonia_env.cli.web import served
from tests.browser import chromium

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
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")  # Playwright runs once at a time, and other modules use it
def browser():
    """A browser; tests are skipped where there is none."""
    with chromium() as opened:
        yield opened
