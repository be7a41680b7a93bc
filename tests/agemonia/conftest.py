"""After every rule test: no scripted die is left over, no invariant is broken."""

import pytest

from agemonia_env.core.jit import COMPILED
from tests.agemonia.rules.table import Table

# Its hundreds of games take an hour as plain Python; the compiled run plays them
collect_ignore = [] if COMPILED else ["test_policies.py"]


@pytest.fixture(autouse=True)
def every_table_is_settled():
    Table.made.clear()
    yield
    for table in Table.made:
        assert table.unrolled == 0, "scripted dice are left over"
        assert table.broken == 0, "an invariant is broken, see terms.Broken"
