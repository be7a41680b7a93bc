"""The command line `agemonia`."""

import os

# 0 is what some shells and programs say of a terminal of unknown size; rich would print nothing
for _name in ("COLUMNS", "LINES"):
    if os.environ.get(_name) == "0":
        del os.environ[_name]
