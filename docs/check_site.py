"""Check every link of the built site, without a network: pages, anchors, pictures, addresses.

    python docs/check_site.py build/site/docs

Exit status 1 if a link is dead. A link elsewhere must only be a well-formed address.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINK = re.compile(r'<(?:a|img|link|script|source)\b[^>]*?\s(?:href|src)="([^"]*)"')
ANCHOR = re.compile(r'\s(?:id|name)="([^"]*)"')
ELSEWHERE = ("http", "https")


@cache
def text_of(path: Path) -> str:
    """A page without its scripts, whose texts may look like links."""
    return re.sub(r"(<script\b[^>]*>).*?</script>", r"\1", path.read_text("utf-8"), flags=re.S)


@cache
def anchors(path: Path) -> frozenset[str]:
    """What links into a page can name."""
    return frozenset(map(unescape, ANCHOR.findall(text_of(path))))


def dead_links(site: Path) -> Iterator[str]:
    """Every dead link as "page: link"; links may lead out of `site` to files beside it."""
    for page in sorted(site.rglob("*.html")):
        for link in dict.fromkeys(map(unescape, LINK.findall(text_of(page)))):
            if not leads_somewhere(page, link):
                yield f"{page.relative_to(site)}: {link}"


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether a link of a page has a target."""
    try:
        address = urlsplit(link)
    except ValueError:
        return False
    if address.scheme in ELSEWHERE:
        return "." in address.netloc and " " not in link
    if address.scheme:
        return address.scheme in ("data", "mailto")
    target = (page.parent / unquote(address.path)).resolve() if address.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return False
    if not address.fragment or target.suffix != ".html":
        return True
    return unquote(address.fragment) in anchors(target)


def built_site(folder: str) -> Path:
    """The folder of an argument, which must have the built site."""
    if not (Path(folder) / "index.html").is_file():
        raise argparse.ArgumentTypeError(f"{folder}: no site; `make docs` builds it")
    return Path(folder)


def main() -> int:
    """Print the dead links; 1 = there are some."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("site", type=built_site)
    site = parser.parse_args().site
    dead = list(dead_links(site))
    print("\n".join([*dead, f"{len(dead)} dead links in {site}"]))
    return int(bool(dead))


if __name__ == "__main__":
    sys.exit(main())
