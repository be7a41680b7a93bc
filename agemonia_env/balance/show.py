"""What changes do to a pack: old and new values, and fingerprints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from agemonia_env.packs.patches import ABSENT, Change, path_text, plain, split, value_at
from agemonia_env.rulesets.agemonia.content.compile import pack_fingerprint
from agemonia_env.rulesets.agemonia.content.load import cards_of, load_pack, patched
from agemonia_env.rulesets.agemonia.content.pack import Pack

Row = tuple[str, str, str]  # path, old value, new value


def shown(pack: str, parts: Sequence[str]) -> Group:
    """A table of what changes. Raises ValueError with everything that is wrong with them.

    parts: changes, and files of them.
    """
    for part in parts:
        named, more = split(part)
        if more and len(named.split()) == 1:  # no change is a single word
            raise ValueError(
                f"{part}: name the pack by --pack {named}, and write each change as an argument "
                "of its own"
            )
    old = load_pack(pack)
    new, changes = patched(old, parts)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("path", "old", "new"):
        table.add_column(heading, overflow="fold")
    for row in rows(new, changes):
        table.add_row(*map(Text, row))
    marks = "\n".join(
        f"{what:11} {before} -> {after}" + (" (the same)" if before == after else "")
        for what, before, after in (
            ("fingerprint", pack_fingerprint(old), pack_fingerprint(new)),
            ("numbers", pack_fingerprint(old, names=False), pack_fingerprint(new, names=False)),
        )
    )
    return Group(table, Text(f"{marks}\npack        {new.name}"))


def rows(new: Pack, changes: Sequence[Change]) -> list[Row]:
    """A row for each value that is set, added to, put in or taken away; new: the changed pack."""
    return list(dict.fromkeys(_rows(new, changes)))


def _rows(new: Pack, changes: Sequence[Change]) -> Iterator[Row]:
    cards = cards_of(new)
    for change in changes:
        path = path_text(change.card + change.place)
        if change.taken is not None:
            yield path, flow(change.value), "taken away"
        elif change.op == "+" and isinstance(change.old, list):
            yield path, "", f"{flow(change.value)} put in"
        else:
            yield path, flow(change.old), flow(value_at(cards[change.card], change.place))


def flow(value: Any) -> str:
    """A value as YAML in one line; nothing for a key that was not there."""
    if value is ABSENT:
        return ""
    text = yaml.safe_dump(plain(value), default_flow_style=True, sort_keys=False, width=10_000)
    return text.removesuffix("...\n").strip()
