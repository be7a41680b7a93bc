"""docs/README.md lists every page; links lead to existing places; sizes are those of the core."""

import ast
import re
from pathlib import Path

import pytest

from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS
from agemonia_env.rulesets.agemonia.core.obs_spec import N_OBSERVATION
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from docs.generate import BUILT

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
OUTER = [ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")]
INDEX = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")


def test_the_index_lists_every_page_once():
    listed = re.findall(r"\[[^\]]+\]\(([\w-]+\.md)\)", INDEX)
    listed += re.findall(r"`docs/([\w-]+\.md)`", INDEX)  # git ignores them
    built = {path.name for path in BUILT}
    first = ("README.md", "index.md")  # of the folder, of the site
    assert sorted(listed) == sorted({page.name for page in PAGES} - {*first} | built)
    tours = re.findall(r"\]\((tours/[\w-]+\.md)\)", INDEX)
    assert sorted(tours) == [
        f"tours/{path.name}" for path in sorted((ROOT / "docs/tours").iterdir())
    ]


@pytest.mark.parametrize("page", [*OUTER, *PAGES], ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page):
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    targets = [(page.parent / link).resolve() for link in links]
    assert [path.name for path in targets if not path.exists() or path in BUILT] == []


def heading_anchors(page):
    """Anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*OUTER, *PAGES], ids=lambda page: page.name)
def test_every_anchor_is_a_heading(page):
    links = re.findall(r"\]\((?!https?:)([^)#\s]*\.md)?#([^)\s]+)\)", page.read_text("utf-8"))
    targets = [(page.parent / name if name else page, anchor) for name, anchor in links]
    assert [anchor for path, anchor in targets if anchor not in heading_anchors(path)] == []


def test_every_stop_of_the_walk_of_a_step_is_in_its_file():
    design = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    walk = re.search(r"^## The walk of a step\n(.*?)^## ", design, re.DOTALL | re.MULTILINE)[1]
    assert len(re.findall(r"^\d+\. ", walk, re.MULTILINE)) == 10
    stops = re.findall(r"\[`([\w.]+)`\]\(([^)]+\.py)\)", walk)
    assert len(stops) >= 10
    assert [stop for stop in stops if not is_defined(*stop)] == []


def is_defined(name, link):
    """Whether a file linked from docs/ defines a function or class, or one in it, as `A.b`."""
    body = ast.parse((ROOT / "docs" / link).read_text(encoding="utf-8")).body
    for part in name.split("."):
        nodes = [node for outer in body for node in ast.walk(outer)]
        found = [
            node
            for node in nodes
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == part
        ]
        if not found:
            return False
        body = found[0].body
    return True


def test_sizes_that_pages_name_are_those_of_the_core():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    vector = (ROOT / "docs" / "vector-env.md").read_text(encoding="utf-8")
    assert f"Of the {N_ACTIONS} actions" in readme
    assert f"observation ({N_OBSERVATION:,} numbers) and mask ({N_ACTIONS})" in readme
    assert f"float32 `(num_envs, {N_OBSERVATION})`" in vector
    assert f"0 to {N_ACTIONS - 1} " in vector
    assert f"int8 `(num_envs, {N_ACTIONS})`" in vector
    fit = AgemoniaEnv(scenario="ford", heroes=2, observation="fitted").fit
    fitted = len(fit.columns)
    assert f"(64, {fitted}) {fit.names[-1]}\n" in vector
    for name in ("docs/python.md", "examples/ppo_vector.py"):
        page = (ROOT / name).read_text(encoding="utf-8")
        assert re.search(rf"\b{fitted}( numbers here, not| of) {N_OBSERVATION:,}", page), name
