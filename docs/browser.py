"""Take docs/browser.png: the play page in the middle of a turn, with what the planner thinks.

make site && python docs/browser.py
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env.cli.web import served  # noqa: E402
from tests.browser import chromium  # noqa: E402

QUESTION = "moves: where to"
BEST = ".option:has(.best)"  # the option that a hint names
MOST = 80  # decisions before it is asked


def main() -> None:
    """Play by greedy hints up to the question, then ask the planner."""
    with served(ROOT / "build" / "site") as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.goto(address)
        page.wait_for_selector(".option")
        for _ in range(MOST):
            if QUESTION in page.inner_text("#question"):
                break
            page.keyboard.press("h")
            page.wait_for_selector(BEST, state="attached")
            page.eval_on_selector(BEST, "option => option.click()")
            page.wait_for_selector(BEST, state="detached")
        page.keyboard.press("p")
        page.wait_for_selector(BEST)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        picture.quantize(128).save(ROOT / "docs" / "browser.png", optimize=True)


if __name__ == "__main__":
    main()
