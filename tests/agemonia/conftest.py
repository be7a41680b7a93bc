"""After every rule test: no scripted die is left over, no invariant is broken."""

import pytest

from tests.agemonia.rules.table import Table


@pytest.fixture(autouse=True)
def every_table_is_settled():
    Table.made.clear()
    yield
    for table in Table.made:
        assert table.unrolled == 0, "scripted dice are left over"
        assert table.broken == 0, "an invariant is broken, see terms.Broken"
