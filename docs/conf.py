"""Settings of the documentation site; `make docs` builds it into build/site/docs."""

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

import agemonia_env  # noqa: E402
from docs.site_pages import linked_code as linkcode_resolve  # noqa: E402, F401

project = "agemonia_env"
author = "The agemonia_env authors"
release = version = agemonia_env.__version__
html_title = project

extensions = [
    *("myst_nb", "sphinx.ext.autodoc", "sphinx.ext.linkcode", "sphinx_copybutton"),
    "docs.site_pages",
]
smartquotes = False  # quotes in docstrings belong to code
exclude_patterns = ["README.md"]  # the index of files, from which the site's own is made

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 6  # as GitHub names them
myst_url_schemes = ("http", "https", "site")  # site: resolved by site_pages

nb_execution_mode = "cache"  # only changed notebooks run again
nb_execution_cache_path = str(DOCS.parent / "build" / "notebooks")
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
# Base classes that only extras bring; the pages look the same without them
autodoc_mock_imports = ["pettingzoo", "stable_baselines3"]

html_theme = "furo"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_favicon = "site/static/icon.svg"
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
