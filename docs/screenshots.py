"""Look at the built site in a browser, on a desktop and on a phone.

    python docs/screenshots.py build/site/docs --out build/screenshots

Reports pages that are wider than the screen, errors in the console and failed requests; exit
status 1 if there are any. --out: keep a picture of the top of every page at either width. --pages:
only these, such as start or tours/train-a-policy. Needs Playwright and a Chromium on the PATH.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env.cli.web import served  # noqa: E402
from docs.check_site import built_site  # noqa: E402

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def pages_of(site: Path) -> list[str]:
    """Every page but those with the text of a file, of which the first three are enough."""
    names = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]
    sources = [name for name in names if name.startswith("source/")]
    return [name for name in names if not name.startswith("source/")] + sources[:3]


def faults(
    browser: Any, address: str, names: Sequence[str], out: Path | None = None
) -> Iterator[str]:
    """What is wrong with pages of a served site, as "page (size): what"; out: for pictures."""
    for size, (width, height) in SIZES.items():
        page = browser.new_page(viewport={"width": width, "height": height})
        found: list[str] = []
        page.on("pageerror", lambda error, found=found: found.append(str(error)))
        page.on("console", partial(note_error, found))
        page.on("requestfailed", partial(note_failure, found))
        for name in names:
            page.goto(address + name)
            wider = page.evaluate(TOO_WIDE)
            if wider > 0:
                found.append(f"{wider} pixels wider than the screen")
            yield from (f"{name} ({size}): {fault}" for fault in found)
            found.clear()
            if out:
                picture = f"{name.removesuffix('.html').replace('/', '-')}-{size}.png"
                page.screenshot(path=out / picture)
        page.close()


def note_error(found: list[str], message: Any) -> None:
    """Keep an error that the console shows."""
    if message.type == "error":
        found.append(message.text)


def note_failure(found: list[str], request: Any) -> None:
    """Keep a request that failed, unless the next page cut it off."""
    if request.failure != "net::ERR_ABORTED":
        found.append(f"failed: {request.url}")


def main() -> int:
    """Look at pages; 1 = something is wrong with one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("site", type=built_site)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--pages", nargs="+")
    options = parser.parse_args()
    names = [f"{page}.html" for page in options.pages or ()] or pages_of(options.site)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as started, served(options.site) as address:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        wrong = list(faults(browser, address, names, options.out))
        browser.close()
    print("\n".join([*wrong, f"{len(names)} pages, {len(wrong)} faults"]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
