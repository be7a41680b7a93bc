"""The documentation site: complete, linked without a gap, and readable on a desktop and a phone.

`make test` builds it first, tours included. Where it is not built, a build without running the
tours takes its place, and where Sphinx is missing the tests are skipped.
"""

import importlib
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agemonia_env.cli.web import served
from docs import check_site, screenshots
from docs.rulebook import BOOKS
from tests.browser import chromium, violations

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BUILT = ROOT / "build" / "site" / "docs"
TOURS = sorted((DOCS / "tours").glob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built documentation, within that of the pages to play."""
    if (BUILT / "searchindex.js").is_file():
        return BUILT
    for package in ("furo", "myst_nb", "sphinx", "sphinx_copybutton"):
        pytest.importorskip(package, reason="the site needs the extra docs")
    whole = tmp_path_factory.mktemp("whole")
    out = shutil.copytree(ROOT / "web" / "site", whole / "site") / "docs"
    options = ["-E", "-W", "-q", "-D", "nb_execution_mode=off", "-d", str(whole / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


def test_every_page_is_built_and_in_the_menu(site):
    menu = (site / "index.html").read_text(encoding="utf-8")
    for path in [*DOCS.glob("*.md"), *TOURS, *(DOCS / "api").glob("*.md")]:
        page = path.relative_to(DOCS).with_suffix(".html").as_posix()
        if page not in ("README.html", "index.html"):
            assert (site / page).is_file()
            assert f'href="{page}"' in menu


@pytest.mark.parametrize("module", ["", ".balance", ".envs", ".forecasting", ".league"])
def test_the_python_interface_has_every_function_of_a_package(module, site):
    found = importlib.import_module(f"agemonia_env{module}")
    functions = {name for name, value in vars(found).items() if inspect.isfunction(value)}
    own = {name for name in functions if vars(found)[name].__module__ == found.__name__}
    pages = "".join(path.read_text("utf-8") for path in sorted((site / "api").glob("*.html")))
    for name in own | set(getattr(found, "__all__", ())):
        assert name.startswith("_") or re.search(rf'id="agemonia_env[\w.]*\.{name}"', pages)


def test_no_link_is_dead(site):
    assert list(check_site.dead_links(site)) == []


def test_the_pages_to_play_and_the_documentation_lead_to_each_other(site):
    assert 'href="../index.html"' in (site / "index.html").read_text(encoding="utf-8")
    for page in ("index.html", "edit.html"):
        assert 'href="docs/index.html"' in (ROOT / "web/site" / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.title)
def test_every_rule_leads_to_its_functions_tests_and_cases(book, site):
    rules, where = (Path(name).with_suffix(".html").name for name in (book.file, book.page))
    text = (site / rules).read_text(encoding="utf-8")
    table = (site / where).read_text(encoding="utf-8")
    for rule in book.ids:
        assert f'<a id="{rule}"></a>' in text
        assert f'href="{where}#{rule}"' in text
        assert f'<a id="{rule}"></a>' in table
        assert f'href="{rules}#{rule}"' in table
    places = [
        place
        for found in (book.where, book.tests, book.cases)
        for named in found.values()
        for place in named
    ]
    for place in places:
        anchor = f"#{place.name}" if place.name else ""
        assert f'href="source/{place.path}.html{anchor}"' in table


def test_every_ruling_is_shown_with_question_and_answer(site):
    text = (site / "agemonia-rules.html").read_text(encoding="utf-8")
    rows = [row for row in re.findall(r"<tr\b.*?</tr>", text, re.DOTALL) if '<a id="Q' in row]
    assert len(rows) == len(BOOKS[0].rulings)
    assert all(len(re.findall(r"<td><p>.*?\w", row)) == 3 for row in rows)


def test_the_number_of_a_rule_is_a_link_outside_code_and_headings(site):
    text = (site / "rulings.html").read_text(encoding="utf-8")
    assert 'href="agemonia-rules.html#R' in text
    assert not re.search(r"<code[^>]*>[^/]*<a [^>]*agemonia-rules", text)
    assert not re.search(r"<h\d>[^/]*<a [^>]*agemonia-rules", text)


@pytest.mark.parametrize("tour", TOURS, ids=lambda path: path.stem)
def test_a_tour_can_be_downloaded_as_a_notebook(tour, site):
    nbformat = pytest.importorskip("nbformat", reason="the site needs the extra docs")
    notebook = nbformat.read(site / "tours" / f"{tour.stem}.ipynb", as_version=4)
    nbformat.validate(notebook)
    cells = re.findall(r"^```\{code-cell\}", tour.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(cells) == sum(cell.cell_type == "code" for cell in notebook.cells) >= 5
    page = (site / "tours" / f"{tour.stem}.html").read_text(encoding="utf-8")
    assert f'href="{tour.stem}.ipynb"' in page or f'href="../tours/{tour.stem}.ipynb"' in page


def test_every_page_fits_desktop_and_phone(site):
    names = screenshots.pages_of(site)
    assert len(names) > 50
    with chromium() as browser, served(site.parent) as address:
        assert list(screenshots.faults(browser, f"{address}docs/", names)) == []


def test_the_search_finds_a_rule(site):
    with chromium() as browser, served(site.parent) as address:
        page = browser.new_page()
        page.goto(f"{address}docs/search.html?q=provoke")
        page.wait_for_selector("#search-results li a")
        found = page.locator("#search-results li a").all_inner_texts()
    assert any("rulebook" in text for text in found)


@pytest.mark.parametrize("script", ["check_site", "screenshots"])
def test_a_folder_without_the_site_is_refused(script, tmp_path):
    command = [sys.executable, ROOT / "docs" / f"{script}.py", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "no site; `make docs` builds it" in done.stderr) == (2, True)


def test_dead_links_are_found(tmp_path):
    (tmp_path / "there.html").write_text('<p id="here">')
    links = ("there.html#here", "there.html", "https://example.org/a", "#top", "gone.html")
    links += ("there.html#gone", "https://nowhere", "ftp:a", "http://[")
    text = "".join(f'<a href="{link}">' for link in links)
    (tmp_path / "index.html").write_text(f'<p id="top">{text}<script>"<a href="x">"</script>')
    dead = [line.partition(": ")[2] for line in check_site.dead_links(tmp_path)]
    assert dead == list(links[4:])


AXE_PAGES = (
    *("index", "start", "packs", "results", "command-line", "env-agemonia", "performance-log"),
    *("api/environments", "search", "genindex", "tours/train-a-policy"),
)


@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(site, width):
    (source, *_) = sorted((site / "source").rglob("*.py.html"))
    pages = [f"{name}.html" for name in AXE_PAGES] + [source.relative_to(site).as_posix()]
    with chromium() as browser, served(site) as address:
        page = browser.new_page(viewport={"width": width, "height": 900})
        found = {}
        for name in pages:
            page.goto(address + name)
            found |= {name: wrong} if (wrong := violations(page)) else {}
    assert found == {}
