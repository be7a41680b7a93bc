"""Show what changes do to a pack: old and new values, and fingerprints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from rich.console import Group
from rich.text import Text

from agemonia_env.display.reports import text_table
from agemonia_env.packs.patches import (
    ABSENT,
    SEPARATOR,
    Cards,
    Change,
    path_text,
    plain,
    split,
    value_at,
)
from agemonia_env.rulesets.pack_tools import pack_tools_of
from agemonia_env.rulesets.ruleset import ruleset_of

Row = tuple[str, str, str]  # path, old value, new value


def changes_table(env: str, pack: str | None, parts: Sequence[str]) -> Group:
    """A table of what changes do to a pack. Raises ValueError with every mistake.

    pack: None for the environment's default. parts: changes, and files of changes.
    """
    for part in parts:
        named, more = split(part)
        if more and len(named.split()) == 1:  # no change is a single word
            raise ValueError(
                f"{part}: name the pack by --pack {named}, and write each change as an argument "
                "of its own"
            )
    if pack is None:
        pack = ruleset_of(env).check_arguments().pack
    tools = pack_tools_of(env)
    old, (new, changes) = tools.cards(pack), tools.patched(pack, parts)
    heads = ("path", "old", "new")
    table = text_table("", heads, list(dict.fromkeys(rows(new, changes))), names=len(heads))
    lines = []
    for label, names in (("fingerprint", True), ("numbers", False)):
        before, after = (tools.fingerprint(cards, names=names) for cards in (old, new))
        same = " (the same)" if before == after else ""
        lines.append(f"{label:11} {before} -> {after}{same}")
    name = f"{SEPARATOR} ".join([ruleset_of(env).load_pack(pack).name, *map(str, changes)])
    return Group(table, Text("\n".join([*lines, f"pack        {name}"])))


def rows(new: Cards, changes: Sequence[Change]) -> Iterator[Row]:
    """A row for each value changed, added to a list or removed; new: the changed cards."""
    for change in changes:
        path = path_text(change.card + change.place)
        if change.taken is not None:
            yield path, flow(change.value), "removed"
        elif change.op == "+" and isinstance(change.old, list):
            yield path, "", f"{flow(change.value)} added"
        else:
            yield path, flow(change.old), flow(value_at(new[change.card], change.place))


def flow(value: Any) -> str:
    """A value as one line of YAML; empty for a key that did not exist."""
    if value is ABSENT:
        return ""
    text = yaml.safe_dump(plain(value), default_flow_style=True, sort_keys=False, width=10_000)
    return text.removesuffix("...\n").strip()
