"""A small pack for tests of content."""

import pytest

from tests.content.small import small_pack, write_pack


@pytest.fixture
def files():
    """The values of every file of the small pack, to be changed before `build` writes them."""
    return small_pack()


@pytest.fixture
def build(tmp_path, files):
    """A function that writes the files and returns their folder."""
    return lambda: write_pack(tmp_path / "small", files)
