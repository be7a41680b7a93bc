"""docs/README.md lists every page; links lead to files that exist; sizes are those of the core."""

import re
from pathlib import Path

import pytest

from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS
from agemonia_env.rulesets.agemonia.core.obs_spec import N_OBSERVATION

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
INDEX = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")


def test_the_index_lists_every_page_once():
    listed = re.findall(r"\[[^\]]+\]\(([\w-]+\.md)\)", INDEX)
    assert sorted(listed) == [page.name for page in PAGES if page.name != "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page):
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_sizes_that_pages_name_are_those_of_the_core():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    vector = (ROOT / "docs" / "vector-env.md").read_text(encoding="utf-8")
    assert f"Of the {N_ACTIONS} actions" in readme
    assert f"observation ({N_OBSERVATION:,} numbers) and mask ({N_ACTIONS})" in readme
    assert f"float32 `(num_envs, {N_OBSERVATION})`" in vector
    assert f"0 to {N_ACTIONS - 1} " in vector
    assert f"int8 `(num_envs, {N_ACTIONS})`" in vector
