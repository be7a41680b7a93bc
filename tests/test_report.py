"""docs/report.md: its figures and numbers are those of their sources; length; how to cite it."""

import re
from pathlib import Path

import pytest
import yaml

import agemonia_env
from benchmarks.peer_runs import OURS
from benchmarks.peers import PEERS

pytest.importorskip("matplotlib", reason="figures need the extra train, which make test installs")

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
TEXT = (DOCS / "report.md").read_text(encoding="utf-8")
BODY, REFERENCES = TEXT.split("\n## References\n")
FEW = 12  # whole numbers up to this one count things in the text
# What fits on a printed page, as a browser prints it: A4, 10.5 points
WORDS, ROWS, INCHES = 700, 50, 9.7
SHRUNK = 6.5 / 9  # figures are nine inches wide, a column 6.5
DRAWN_BY = re.compile(r"<dc:title>(Matplotlib[^<,]*)")


@pytest.fixture
def report(load_script):
    return load_script("docs/report.py")


# ---- figures, numbers and tables from files -----------------------------------------------------
def test_the_page_has_the_numbers_and_tables_of_the_measured_files(report):
    assert report.written(TEXT) == TEXT, "run python docs/report.py"


def test_figures_are_those_that_the_files_give(report):
    import matplotlib as mpl

    for name, draw in report.FIGURES.items():
        stored = (report.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        drawn_by = DRAWN_BY.search(stored)[1]
        if drawn_by == f"Matplotlib v{mpl.__version__}":  # another version draws otherwise
            assert draw() == stored, f"{name}: run python docs/report.py"


def test_a_figure_is_drawn_the_same_twice(report):
    assert report.draw_peers() == report.draw_peers()


def test_every_figure_is_shown_once_in_order(report):
    assert re.findall(r"!\[[^\]]+\]\(report/([\w-]+)\.svg\)", TEXT) == list(report.FIGURES)
    assert sorted(path.stem for path in report.FOLDER.glob("*.svg")) == sorted(report.FIGURES)
    assert re.findall(r"^\*Figure (\d+)\.", TEXT, re.M) == [
        str(k) for k in range(1, len(report.FIGURES) + 1)
    ]
    tables = re.findall(r"^\*Table (\d+)\.", TEXT, re.M)
    assert tables == [str(k) for k in range(1, len(tables) + 1)]


def test_every_library_has_a_name_on_the_page(report):
    assert set(report.SLUGS) == set(PEERS)
    assert set(report.COMPARED) == {name for name, heading in OURS.items() if heading}
    assert set(report.OUR_WORDS) == set(OURS)


def test_a_number_without_a_source_is_an_error(report):
    with pytest.raises(KeyError, match=r"no\.such"):
        report.written("<!--=no.such-->7<!--/-->")
    with pytest.raises(LookupError, match=r"learning\.md: has no table that begins with a \| b"):
        report.page_table("learning.md", "a", "b")


def test_each_measured_file_says_how_to_repeat_it(report):
    for path in report.FOLDER.glob("*.json"):
        run = report.measured(path.name)["run"]
        assert path.name in run["command"] or f"{path.stem}.py" in run["command"]
        assert not re.search(r"(?<!\w)/\w", run["command"]), "a path of one machine"


# ---- numbers quoted from pages ------------------------------------------------------------------
def parts():
    """Paragraphs of the body, each with the table or list that follows it."""
    found = []
    text = re.sub(r"```.*?```|<!--table .*?<!--/table-->", "", BODY, flags=re.DOTALL)
    for block in re.split(r"\n{2,}", text):
        if block.startswith(("|", "- ")):
            found[-1] += "\n" + block
        elif block.strip() and not block.startswith(("#", "![")):
            found.append(block)
    return found


def quoted(text):
    """Numbers of a text without commas; those of code, links and markers left out."""
    for pattern in (r"<!--=.*?<!--/-->", r"`[^`]*`", r"\]\([^)]*\)", r"\[\d+(?:, \d+)*\]"):
        text = re.sub(pattern, " ", text)
    text = re.sub(
        r"\b(?:[Tt]ables?|[Ff]igures?|[Ss]ections?) \d+(?: and \d+)?|\barXiv:\S+", " ", text
    )
    found = re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])", text)
    return [number.replace(",", "") for number in found]


def numbers_of(page):
    text = page.read_text(encoding="utf-8").replace(",", "")
    return set(re.findall(r"\d+(?:\.\d+)?", text))


def sources(text):
    """Pages that a text links to."""
    links = re.findall(r"\]\(([\w./-]+\.md)", text)
    return [DOCS / link for link in links if (DOCS / link).exists()]


@pytest.mark.parametrize("part", parts(), ids=lambda part: part[:30])
def test_every_number_is_in_a_page_that_its_paragraph_names(part):
    known = set().union(*map(numbers_of, sources(part)))
    missing = [
        number
        for number in quoted(part)
        if number not in known and not (number.isdigit() and int(number) <= FEW)
    ]
    assert missing == []


# ---- length, references, citation ---------------------------------------------------------------
def test_it_is_about_eight_pages_long(report):
    lines = TEXT.split("\n")
    rows = [line for line in lines if line.startswith("|")]
    prose = " ".join(line for line in lines if not line.startswith(("|", "![")))
    prose = re.sub(r"<!--.*?-->|\]\([^)]*\)", "", prose)
    heights = [
        float(re.search(r'height="([\d.]+)pt"', path.read_text(encoding="utf-8"))[1]) / 72
        for path in report.FOLDER.glob("*.svg")
    ]
    pages = len(prose.split()) / WORDS + len(rows) / ROWS + SHRUNK * sum(heights) / INCHES
    assert 7 <= pages <= 9.5, "about eight pages, and one of references"


def test_references_are_cited_and_citations_exist():
    cited = {
        int(number)
        for group in re.findall(r"\[(\d+(?:, \d+)*)\](?!\()", BODY)
        for number in group.split(", ")
    }
    listed = [int(number) for number in re.findall(r"^(\d+)\. ", REFERENCES, re.M)]
    assert listed == list(range(1, len(listed) + 1))
    assert cited == set(listed)


def test_the_citation_names_this_version_and_the_report():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors", "abstract"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == agemonia_env.__version__
    assert "docs/report.md" in citation["abstract"]
    title = TEXT.split("\n", 1)[0]
    paper = citation["references"][0]
    assert (paper["type"], title) == ("report", f"# Technical report: {paper['title']}")
    bibtex = re.search(r"```bibtex\n(@\w+\{\w+,\n(?:  \w+ += \{.*\},\n)+\}\n)```", TEXT)[1]
    fields = dict(re.findall(r"^  (\w+) += \{(.*)\},$", bibtex, re.M))
    assert fields["author"].strip("{}") == citation["authors"][0]["name"]
    assert fields["title"].lower() == paper["title"].lower()
    assert fields["year"] == str(paper["year"])
    assert f"version {citation['version']}" in fields["note"]
