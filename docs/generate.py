"""Write the generated pages of docs/ from the sources that they describe.

Run as `python docs/generate.py`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env.agemonia import actions, layout, sheet, terms  # noqa: E402
from agemonia_env.hexdungeon import actions as hex_actions  # noqa: E402
from agemonia_env.hexdungeon import layout as hex_layout  # noqa: E402
from agemonia_env.hexdungeon import sheet as hex_sheet  # noqa: E402
from agemonia_env.hexdungeon import terms as hex_terms  # noqa: E402
from agemonia_env.simulation import columns, parts  # noqa: E402
from docs import rulebook  # noqa: E402

DOCS = ROOT / "docs"
MADE = rulebook.MADE


# ---- layout -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Field:
    """One field of a dtype as the source declares it."""

    name: str
    comment: str


def declared(path: Path) -> dict[str, list[Field]]:
    """Name of a dtype -> its fields in order, each with the comment on its line."""
    source = path.read_text(encoding="utf-8")
    lines = source.split("\n")
    found: dict[str, list[Field]] = {}
    for node in ast.parse(source).body:
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
            continue
        if not ast.unparse(node.value.func).endswith("dtype"):
            continue
        assert isinstance(node.targets[0], ast.Name)
        assert isinstance(node.value.args[0], ast.List)
        fields = []
        for row in node.value.args[0].elts:
            assert isinstance(row, ast.Tuple)
            name = ast.literal_eval(row.elts[0])
            line = lines[(row.end_lineno or row.lineno) - 1]
            fields.append(Field(name, line.partition("# ")[2].strip()))
        found[node.targets[0].id] = fields
    return found


def type_text(dtype: np.dtype, names: dict[int, str]) -> str:
    """A field's type as a reader writes it: int16, uint8[3], ALLY[6]."""
    base, shape = dtype.subdtype or (dtype, ())
    text = names.get(id(base), base.name)
    return text + (f"[{', '.join(map(str, shape))}]" if shape else "")


def layout_page(*modules: ModuleType) -> str:
    """Every field of every dtype of layout and sheet: offset, type, meaning."""
    paths = [Path(str(module.__file__)) for module in modules]
    dtypes = {name: value for module in modules for name, value in vars(module).items()}
    fields = {name: rows for path in paths for name, rows in declared(path).items()}
    names = {id(dtypes[name]): name for name in fields}
    parts = [
        "# Layout\n\nEvery field of content, state and observation, from "
        + " and ".join(f"`{path.relative_to(ROOT).as_posix()}`" for path in paths)
        + f". {MADE}\n\nOffsets and sizes are bytes. Absent is 0 in a count and -1 in an index.",
    ]
    for name, rows in fields.items():
        dtype = dtypes[name]
        parts.append(f"## {name}\n\n{dtype.itemsize} bytes.\n\n| offset | field | type | meaning |")
        parts[-1] += "\n|---|---|---|---|"
        for row in rows:
            kind, offset = dtype.fields[row.name][:2]
            meaning = row.comment.replace("|", "\\|")
            parts[-1] += f"\n| {offset} | `{row.name}` | {type_text(kind, names)} | {meaning} |"
    return "\n\n".join(parts) + "\n"


# ---- games --------------------------------------------------------------------------------------
def games_page() -> str:
    """Every column of the rows of a simulation."""
    rows = "\n".join(
        f"| `{name}` | {dtype} | {meaning} |"
        for name, dtype, meaning in columns.columns_of("Agemonia-v0")
    )
    return f"""\
# Games

`agemonia simulate --out games.parquet` and `agemonia_env.simulate()` make a row for each game. \
From `agemonia_env/simulation/columns.py`. {MADE}

Lists are in the order of the names beside them: those of `hero_...` as `heroes`, of \
`companion_...` as `companions`, of `enemy_...` as `enemies`; \
`rows.explode("enemies", "enemy_dealt", ...)` makes a row for each of them. What was played in \
all, with the version of the rules, is JSON in the metadata of the file, under `{parts.MARK}` \
(`polars.read_parquet_metadata`).

| column | type | meaning |
|---|---|---|
{rows}
"""


# ---- actions ------------------------------------------------------------------------------------
def actions_page(actions: ModuleType, terms: ModuleType) -> str:
    """Every block of the action space, and what each decision asks for."""
    blocks = "\n".join(
        f"| {actions.STARTS[block]} to {actions.STARTS[block] + size - 1} | {block.name} | {size} |"
        for block, size in zip(actions.Block, actions.SIZES, strict=True)
    )
    comments = dict(enum_comments(terms, "Decision"))
    decisions = "\n".join(
        f"| {decision.value} | {decision.name} | {comments[decision.name]} |"
        for decision in terms.Decision
    )
    return f"""\
# Actions

The action space is `Discrete({actions.N_ACTIONS})`, made of named blocks. {MADE}

| actions | block | size |
|---|---|---|
{blocks}
{turns(actions)}
## What each decision asks

| number | decision | answered by |
|---|---|---|
{decisions}
"""


def turns(actions: ModuleType) -> str:
    """What the block TURN is made of, in the ruleset that has one."""
    if not hasattr(actions, "Turn"):
        return ""
    rows = "\n".join(
        f"| {actions.STARTS[actions.Block.TURN] + turn} | {turn.name} |" for turn in actions.Turn
    )
    return f"""
## The block TURN

| action | what the figure does next |
|---|---|
{rows}
"""


def enum_comments(terms: ModuleType, name: str) -> Iterator[tuple[str, str]]:
    """(member, comment on its line) of an enum."""
    source = Path(str(terms.__file__)).read_text(encoding="utf-8")
    lines = source.split("\n")
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            for row in node.body:
                if isinstance(row, ast.Assign):
                    assert isinstance(row.targets[0], ast.Name)
                    yield row.targets[0].id, lines[row.lineno - 1].partition("# ")[2].strip()


PAGES = {
    DOCS / "layout.md": lambda: layout_page(layout, sheet),
    DOCS / "actions.md": lambda: actions_page(actions, terms),
    DOCS / "games.md": games_page,
    DOCS / "hexdungeon-layout.md": lambda: layout_page(hex_layout, hex_sheet),
    DOCS / "hexdungeon-actions.md": lambda: actions_page(hex_actions, hex_terms),
} | {DOCS / book.page: book.write for book in rulebook.BOOKS}

if __name__ == "__main__":
    for target, write in PAGES.items():
        target.write_text(write(), encoding="utf-8")
