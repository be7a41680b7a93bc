"""What the documentation site makes of the Markdown files: index, links into code, notebooks.

A Sphinx extension (conf.py). The files stay as they read best in a checkout; on the site

- docs/README.md, the index of files, becomes the menu;
- reference pages that git ignores are written first, and their names become links;
- links to files outside docs/ lead to pages with their text, a line for each function and case;
- rules, where each is implemented and tested, and how they are settled, link to one another, and
  the number of a rule leads to the rulebook from every page;
- docstrings, which are Markdown, are read as such;
- tours can be downloaded as notebooks.

A link of its own is written `site:` and the place below the site's first page.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import nbformat
import yaml
from docutils import nodes
from myst_nb.core.read import read_myst_markdown_notebook
from sphinx.application import Sphinx

from agemonia_env.coverage.functions import functions
from agemonia_env.files.writing import write_whole
from docs.generate import BUILT, write_pages
from docs.rulebook import BOOKS, Book, Place

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
INDEX = DOCS / "README.md"
SITE = "site:"
SOURCE = "source/"  # below the site: pages with the text of files
# Files beside docs/ that are pages, too: docs/site/ has a file for each, which says where it is
OUTER = {"CONTRIBUTING.md": "site/contributing", "CHANGELOG.md": "site/changelog"}
LEXERS = {".py": "python", ".yaml": "yaml", ".toml": "toml", ".md": "markdown"}
RULE = re.compile(r"\b([A-Z]\d+(?:\.\d+[a-z]?)?)\b")  # what may be the number of a rule or ruling
NAMED = re.compile(rf"`docs/({'|'.join(path.name for path in BUILT)})`")  # pages without a link
LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\(((?!https?:|site:)[^)#\s]+)?(#[^)\s]+)?\)")


# ---- texts --------------------------------------------------------------------------------------
def read_page(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace a page's text by what the site shows of it."""
    path = app.env.doc2path(docname)
    text, folder = source[0], Path(path).parent
    for file, page in OUTER.items():
        if docname == page:
            text, folder = (ROOT / file).read_text(encoding="utf-8"), ROOT
    for book in BOOKS:
        if docname == Path(book.page).stem:
            text = book.write(partial(place_link, book), partial(rule_link, book))
        if docname == Path(book.file).stem:
            text = with_rule_links(book, text)
    if docname == app.config.root_doc:
        text += "".join(menus())
    text = LINK.sub(partial(site_link, folder, docname), text)
    source[0] = NAMED.sub(rf"[\1]({'../' * docname.count('/')}\1)", text)


def site_link(folder: Path, docname: str, found: re.Match[str]) -> str:
    """A Markdown link as the site has it; folder: where the text's relative links begin."""
    words, target, anchor = found[1], found[2], found[3] or ""
    if target is None:
        return found[0]
    path = (folder / target).resolve()
    up = "../" * docname.count("/")
    if path == INDEX:
        return f"[{words}](site:index.html)"
    if path == ROOT / "README.md":
        return f"[{words}](site:start.html)"
    if path.parent == ROOT and path.name in OUTER:
        return f"[{words}]({up}{OUTER[path.name]}.md{anchor})"
    if path.suffix == ".md" and path.is_relative_to(DOCS):
        return f"[{words}]({up}{path.relative_to(DOCS).as_posix()}{anchor})"
    if path.exists() and (path.is_dir() or not path.is_relative_to(DOCS)):
        return f"[{words}]({source_link(path)})"
    return found[0]


def source_link(path: Path, anchor: str = "") -> str:
    """The link to the page with a file's text, at a function, class or case."""
    file = path.relative_to(ROOT).as_posix()
    return f"{SITE}{SOURCE}{file}.html" + (f"#{anchor}" if anchor else "")


def menus() -> Iterator[str]:
    """A toctree for each section of the index of files."""
    index = NAMED.sub(r"[\1](\1)", INDEX.read_text(encoding="utf-8"))
    sections = re.split(r"^\*\*(.+)\*\*$", index, flags=re.MULTILINE)
    for caption, text in zip(sections[1::2], sections[2::2], strict=True):
        pages = re.findall(r"\]\(([\w./-]+)\.md\)", text)
        names = "\n".join(OUTER.get(f"{Path(page).name}.md", page) for page in pages)
        yield f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{names}\n```\n"


# ---- rules --------------------------------------------------------------------------------------
def place_link(book: Book, place: Place) -> str:
    """A function, test or case, with a link to its text."""
    shown = str(place) if not place.file.endswith(".yaml") else place.name
    return f"[`{shown}`]({source_link(ROOT / place.path, place.name)})"


def rule_link(book: Book, rule: str) -> str:
    """The id of a rule, with a link to the rulebook."""
    return f'<a id="{rule}"></a>[{rule}](site:{Path(book.file).stem}.html#{rule})'


def with_rule_links(book: Book, text: str) -> str:
    """A rulebook in which every rule's id can be linked and leads to code and tests."""
    page = f"site:{Path(book.page).stem}.html"
    rule = rf"{book.letter}\d+\.\d+[a-z]?"
    known, seen = set(book.ids), set()

    def linked(found: re.Match[str]) -> str:
        bold, name = found[1], found[2]
        if name not in known or name in seen:
            return found[0]
        seen.add(name)
        return f'<a id="{name}"></a>{bold}[{name}]({page}#{name})'

    text = re.sub(rf"(\*\*)({rule})\b", linked, text)
    return re.sub(r"(?<=^\| )()(Q\d+)(?= \|)", linked, text, flags=re.MULTILINE)


def link_rules(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Link the numbers of rules to the rulebooks, but in headings, code and links."""
    rules = {rule: Path(book.file).stem for book in BOOKS for rule in book.ids}
    own = (nodes.Titular, nodes.literal, nodes.literal_block, nodes.raw, nodes.reference)
    for text in list(doctree.findall(nodes.Text)):
        parts = RULE.split(text)
        if len(parts) == 1 or any(isinstance(node, own) for node in ancestors(text)):
            continue
        found: list[nodes.Node] = []
        for part in parts:
            if part in rules:
                place = f"{'../' * docname.count('/')}{rules[part]}.html#{part}"
                found.append(nodes.reference("", part, refuri=place, internal=True))
            else:
                found.append(nodes.Text(part))
        text.parent.replace(text, found)


def ancestors(node: nodes.Node) -> Iterator[nodes.Node]:
    """The nodes around a node, nearest first."""
    while (node := node.parent) is not None:
        yield node


# ---- links and pages of sources -----------------------------------------------------------------
def resolve_links(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Make links to places of the site relative, and remember which files they show."""
    for node in doctree.findall(nodes.reference):
        target = node.get("refuri", "")
        if target.startswith(SITE):
            place = target.removeprefix(SITE)
            node["refuri"] = "../" * docname.count("/") + place
            node["internal"] = True
            node["classes"] = [name for name in node["classes"] if name != "external"]
            if place.startswith(SOURCE):
                file = place.removeprefix(SOURCE).partition("#")[0].removesuffix(".html")
                shown_files(app).add(file)


def shown_files(app: Sphinx) -> set[str]:
    """The files that pages link to, relative to the repository."""
    if not hasattr(app, "shown_files"):
        app.shown_files = set()  # type: ignore[attr-defined]
    files: set[str] = app.shown_files  # type: ignore[attr-defined]
    return files


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each file that another page links to, as viewcode has them."""
    files = shown_files(app)
    for folder in [ROOT / file for file in files if (ROOT / file).is_dir()]:
        files |= {path.relative_to(ROOT).as_posix() for path in folder.iterdir() if is_text(path)}
    for file in sorted(files):
        path = ROOT / file
        body = list_of(path) if path.is_dir() else numbered(app, path)
        context = {"title": file, "body": f'<h1 class="file">{escape(file)}</h1>\n{body}'}
        yield f"{SOURCE}{file}", context, "page.html"


def is_text(path: Path) -> bool:
    """Whether a file is shown."""
    return path.suffix in LEXERS


def list_of(folder: Path) -> str:
    """The files of a folder as a list of links."""
    names = [path.name for path in sorted(folder.iterdir()) if is_text(path)]
    rows = (f'<li><a href="{folder.name}/{name}.html">{escape(name)}</a></li>' for name in names)
    return f"<ul>{''.join(rows)}</ul>"


def numbered(app: Sphinx, path: Path) -> str:
    """A file's text, highlighted; lines that define something can be linked by its name."""
    text = path.read_text(encoding="utf-8")
    highlighter = app.builder.highlighter  # type: ignore[attr-defined]
    lines = highlighter.highlight_block(text, LEXERS.get(path.suffix, "text")).split("\n")
    first = len(re.match(r"\n*", text)[0])  # type: ignore[index]
    for name, line in definitions(path.suffix, text):
        lines[line - 1 - first] = f'<span id="{escape(name)}" class="place">' + (
            lines[line - 1 - first] + "</span>"
        )
    return "\n".join(lines)


def definitions(suffix: str, text: str) -> Iterator[tuple[str, int]]:
    """(name, line) of the functions and classes of a Python file, or of the cases of a YAML one."""
    if suffix == ".py":
        body = ast.parse(text).body
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield node.name, node.lineno
        for name, function in functions(body):
            yield name, function.lineno
    if suffix == ".yaml":
        seen = set()
        for line, words in enumerate(text.split("\n"), 1):
            found = re.match(r"- (?:\{)?id: *(.+?)(?:,.*)?$", words)
            if found:
                name = str(yaml.load(found[1], yaml.BaseLoader))
                if name not in seen:
                    seen.add(name)
                    yield name, line


def linked_code(domain: str, info: dict[str, str]) -> str | None:
    """The link from an entry of the API to its text, for sphinx.ext.linkcode."""
    if domain != "py" or not info["module"]:
        return None
    found: Any = importlib.import_module(info["module"])
    for name in info["fullname"].split("."):
        found = getattr(found, name, None)
    found = inspect.unwrap(getattr(found, "fget", None) or getattr(found, "func", None) or found)
    path = inspect.getsourcefile(found) if callable(found) else None
    if path is None or not Path(path).is_relative_to(ROOT):
        return None
    return source_link(Path(path), found.__qualname__)


# ---- docstrings ---------------------------------------------------------------------------------
def read_docstring(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Turn the Markdown of docstrings into reStructuredText: code, and blocks that are indented."""
    text = "\n".join(lines)
    text = re.sub(r"\n\n(    .*(?:\n(?:    .*)?)*)", r"\n\n::\n\n\1", text)
    parts = re.split(r"(`[^`]+`)", text)
    for k, part in enumerate(parts):
        code = k % 2
        parts[k] = f"`{part}`" if code else re.sub(r"([*|\\])|(?<=\w)(_)(?!\w)", r"\\\1\2", part)
    lines[:] = "".join(parts).split("\n")


# ---- notebooks ----------------------------------------------------------------------------------
def write_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Write each tour as a notebook beside its page."""
    if error is None:
        for path in sorted((DOCS / "tours").glob("*.md")):
            notebook = read_myst_markdown_notebook(path.read_text(encoding="utf-8"))
            write_whole(Path(app.outdir, "tours", f"{path.stem}.ipynb"), nbformat.writes(notebook))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the extension."""
    write_pages(BUILT)
    app.connect("source-read", read_page)
    app.connect("autodoc-process-docstring", read_docstring)
    app.connect("doctree-resolved", resolve_links)
    app.connect("doctree-resolved", link_rules)
    app.connect("html-collect-pages", source_pages)
    app.connect("build-finished", write_notebooks)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
