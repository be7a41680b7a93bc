"""Write the generated pages of docs/ from the sources they describe.

Run as `python docs/generate.py`. The long ones, BUILT, are not in git; building the site writes
them as well.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env.rulesets.agemonia.core import (  # noqa: E402
    action_spec,
    actions,
    layout,
    obs_spec,
    terms,
)
from agemonia_env.rulesets.agemonia.states import obs_arrays  # noqa: E402
from agemonia_env.rulesets.hexdungeon.core import action_spec as hex_action_spec  # noqa: E402
from agemonia_env.rulesets.hexdungeon.core import actions as hex_actions  # noqa: E402
from agemonia_env.rulesets.hexdungeon.core import layout as hex_layout  # noqa: E402
from agemonia_env.rulesets.hexdungeon.core import obs_spec as hex_obs_spec  # noqa: E402
from agemonia_env.rulesets.hexdungeon.core import terms as hex_terms  # noqa: E402
from agemonia_env.rulesets.hexdungeon.states import obs_arrays as hex_structure  # noqa: E402
from agemonia_env.rulesets.obs_arrays import Block, Structure  # noqa: E402
from agemonia_env.simulation import checkpoints, result_schema  # noqa: E402
from docs import action_words, env_cards, pack_pages, rulebook  # noqa: E402

DOCS = ROOT / "docs"
MADE = rulebook.MADE


# ---- layout -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Field:
    """A field of a dtype, as declared in the source."""

    name: str
    comment: str


@dataclass(frozen=True)
class Record:
    """A dtype, as declared in the source."""

    comment: str
    fields: list[Field]


def declared(path: Path) -> dict[str, Record]:
    """The dtypes of a file: name -> fields in order, each with the comment beside it."""
    source = path.read_text(encoding="utf-8")
    lines = source.split("\n")
    found: dict[str, Record] = {}
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
            fields.append(Field(name, comment_at(lines, row.end_lineno or row.lineno)))
        comment = comment_at(lines, node.value.args[0].lineno)
        found[node.targets[0].id] = Record(comment, fields)
    return found


def comment_at(lines: list[str], number: int) -> str:
    """The comment at the end of a line, counted from 1; after a colon or comma it goes on below."""
    found = lines[number - 1].partition("# ")[2].strip()
    if found.endswith((":", ",")) and lines[number].strip().startswith("# "):
        found += " " + lines[number].strip().removeprefix("# ")
    return found


Names = dict[tuple[str, ...], str]  # names of a record's fields -> name of the record


def named(module: ModuleType) -> Names:
    """The records that a module declares, by their fields."""
    found = declared(Path(str(module.__file__)))
    return {tuple(row.name for row in record.fields): name for name, record in found.items()}


def type_text(dtype: np.dtype, names: Names) -> str:
    """A field's type as text: int16, uint8[3], ALLY[6]."""
    base, shape = dtype.subdtype or (dtype, ())
    text = names[base.names] if base.names else base.name
    return text + (f"[{', '.join(map(str, shape))}]" if shape else "")


# What the records of a ruleset are, module by module: layout, obs_spec, action_spec, obs_arrays
PARTS = (
    "## Content and state\n\n`CONTENT` is a scenario as compiled from its files, which play never"
    " changes; `STATE` is everything that changes. The other records are parts of these, or what"
    " rules work with.",
    "## Observation\n\n`OBS`, without its names, is the observation: what the side that decides"
    " sees. Each value is an int8 whole number divided by a scale.",
    "## Features of actions\n\n`ACTION` describes one legal action, so that a network can score"
    " actions that it has never seen.",
    "## Scenario arrays\n\n`SCENARIO` is what lies open on the table for the whole game, for"
    " policies that play many scenarios.",
)


def layout_page(
    game: str,
    rules: str,
    layout: ModuleType,
    structure: Structure,
    *more: ModuleType,
) -> str:
    """Every field of every dtype of a layout, and the observation as named arrays.

    game: name of the ruleset; rules: page of its rulebook; more: further modules that declare the
    observation, the action features and the scenario arrays.
    """
    modules = (layout, *more)
    names = {fields: name for module in modules for fields, name in named(module).items()}
    tables = [record_tables(module, names) for module in modules]
    parts = "".join(
        f"{head} From `{source_of(module)}`.\n\n{table}"
        for head, module, table in zip(PARTS, modules, tables, strict=True)
    )
    terms = Path(str(layout.__file__)).with_name("terms.py").relative_to(ROOT).as_posix()
    return f"""\
# Layout of {game}

Every field of the NumPy records that hold a game: of content, state and observation, of the \
features of actions and of the scenario arrays. {MADE}

- **Offsets** and sizes are bytes; Python needs none of them: `states["round"]` reads a \
field of all states, and `observation.view(ruleset.OBS)["enemy"]["health"]` one of an observation. \
Absent is 0 in a count and -1 in an index.
- **Types** in capitals are records of this page; `[6]` means an array of six.
- **Rule numbers** and the words of the game are those of [the rulebook]({rules}). Where a meaning \
is only a number, that rule says what the field is.
- **`terms.Kind`** and the like are the enumerations of [`terms.py`](../{terms}).
- **Bits** are a whole number as a set: bit k says whether number k is in it; `1 << Condition` is \
the bit of a condition. A **row** is an index into the array of that name in `CONTENT` (an attack \
row into `attack`). A **slot** is a place in an array of figures.
- **0/1** is no or yes; **one-hot** has a 1 in the place of the value and 0 elsewhere.
{scales(modules, "".join(tables))}
{parts}{arrays_section(structure, names)}"""


def scales(modules: tuple[ModuleType, ...], tables: str) -> str:
    """The constants by which values are divided, if the tables name any."""
    used = sorted(set(re.findall(r"/ ([A-Z][A-Z_]+)\b", tables)))
    values = {name: getattr(module, name) for module in modules for name in vars(module)}
    if not used:
        return ""
    listed = ", ".join(f"`{name}` = {values[name]}" for name in used)
    return f"- **/ SMALL** means divided by that number: {listed}.\n"


def source_of(module: ModuleType) -> str:
    """The path of a module in the repository."""
    return Path(str(module.__file__)).relative_to(ROOT).as_posix()


def record_tables(module: ModuleType, names: Names) -> str:
    """A section for every record of a module: offset, type, meaning."""
    text = ""
    for name, record in declared(Path(str(module.__file__))).items():
        dtype = getattr(module, name)
        what = record.comment[:1].upper() + record.comment[1:] + ". " if record.comment else ""
        text += f"### {name}\n\n{what}{dtype.itemsize} bytes.\n\n"
        text += "| offset | field | type | meaning |\n|---|---|---|---|"
        for row in record.fields:
            kind, offset = dtype.fields[row.name][:2]
            meaning = row.comment.replace("|", "\\|")
            text += f"\n| {offset} | `{row.name}` | {type_text(kind, names)} | {meaning} |"
        text += "\n\n"
    return text


def arrays_section(structure: Structure, names: Names) -> str:
    """The named arrays of a structured observation."""
    rows = "\n".join(
        f"| `{block.name}` | {block.shape} | {block_source(block, names)} | {numbers} |"
        f" {f'`{block.mask}`' if block.present else ''} |"
        for blocks in (structure.observation, structure.scenario)
        for block in blocks
        for numbers in [f"{block.start} to {block.stop - 1}"]
    )
    return f"""\
## The observation as named arrays

`StructuredObservation(env)` and, for a vector environment, `StructuredVectorObservation(envs)` \
(`agemonia_env/envs/wrappers.py`) return a dict of these arrays; \
`ruleset.structure(observations)` makes them from a batch, NumPy or torch. They are views of the \
flat observation ({structure.n_observation} numbers) and of the scenario arrays \
({structure.n_scenario} numbers, from `{structure.scenario[0].name}` on). The column *numbers* has \
their places there, counted from 0 in either. A bool mask says which rows exist. \
[learning.md](learning.md#inputs) says what they are for.

| array | shape | fields | numbers | mask |
|---|---|---|---|---|
{rows}
"""


def block_source(block: Block, names: Names) -> str:
    """Where the columns of a block are documented."""
    fields = tuple(block.columns)
    if fields in names:
        return f"those of {names[fields]}"
    if len(fields) < 4:
        return ", ".join(f"`{field}`" for field in fields or (block.name,))
    return f"`{fields[0]}` to `{fields[-1]}`"


# ---- games --------------------------------------------------------------------------------------
def games_page() -> str:
    """docs/games.md: every column of a simulation's rows."""
    rows = "\n".join(
        f"| `{name}` | {dtype} | {meaning} |"
        for name, dtype, meaning in result_schema.columns_of("Agemonia-v0")
    )
    return f"""\
# Games

`agemonia simulate --out games.parquet` and `agemonia_env.simulate()` write one row per game. \
From `agemonia_env/simulation/result_schema.py`. {MADE}

Lists have one element per name: `hero_...` in the order of `heroes`, `companion_...` of \
`companions`, `enemy_...` of `enemies`; `rows.explode("enemies", "enemy_dealt", ...)` makes one \
row per enemy type. The metadata of the file has what was simulated, and by which rules, as JSON, \
under `{checkpoints.MARK}` (`polars.read_parquet_metadata`). [simulation.md](simulation.md) shows \
how to run a simulation.

The arguments of [Agemonia-v0](env-agemonia.md#arguments) explain party, level, difficulty, \
`enemy_will` and ties; a fingerprint is a hash of rules and content ([identity.md](identity.md)). \
A hero's life is its stamina chips: blue ones on its disk can be spent or locked on an action or \
item, damage turns them red (R2.1, R2.4, R14.1), and a hero without any left is exhausted, out of \
action (R13.8), until something brings it back. Non-hero allies, or companions, are figures on \
the heroes' side without chips (R18.1).

| column | type | meaning |
|---|---|---|
{rows}
"""


# ---- actions ------------------------------------------------------------------------------------
def actions_page(
    game: str, actions: ModuleType, terms: ModuleType, words: action_words.Words
) -> str:
    """The page of actions: every block, and the answers to each decision."""
    blocks = "\n".join(
        f"- **{span(actions.STARTS[block], size)}** {block.name}: {words.blocks[block.name]}"
        for block, size in zip(actions.Block, actions.SIZES, strict=True)
    )
    comments = dict(enum_comments(terms, "Decision")) | words.decisions
    decisions = "\n".join(
        f"- **{decision.value}** {decision.name}: {comments[decision.name]}"
        for decision in terms.Decision
    )
    return f"""\
# Actions of {game}

The action space is `Discrete({actions.N_ACTIONS})`, made of named blocks. {MADE}

{words.about}

Actions, their block, and what an action of it names:

{blocks}
{turns(actions, words)}
## Decisions

The observation has the decision as a one-hot vector, and its name is `info["decision"]`. Number, \
name, and {words.answers}:

{decisions}
"""


def span(start: int, size: int) -> str:
    """The actions of a block."""
    return str(start) if size == 1 else f"{start} to {start + size - 1}"


def turns(actions: ModuleType, words: action_words.Words) -> str:
    """The choices of the block TURN, if the ruleset has one."""
    if not hasattr(actions, "Turn"):
        return ""
    start = actions.STARTS[actions.Block.TURN]
    rows = "\n".join(
        f"- **{start + turn}** {turn.name}: {words.turns[turn.name]}" for turn in actions.Turn
    )
    return f"""
## The block TURN

{rows}
"""


def enum_comments(terms: ModuleType, name: str) -> Iterator[tuple[str, str]]:
    """Yield (member, comment on its line) of an enum."""
    source = Path(str(terms.__file__)).read_text(encoding="utf-8")
    lines = source.split("\n")
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            for row in node.body:
                if isinstance(row, ast.Assign):
                    assert isinstance(row.targets[0], ast.Name)
                    yield row.targets[0].id, lines[row.lineno - 1].partition("# ")[2].strip()


# In git, as people read them where the repository is shown
PAGES: dict[Path, Callable[[], str]] = {
    DOCS / "actions.md": lambda: actions_page("Agemonia", actions, terms, action_words.AGEMONIA),
    DOCS / "packs.md": pack_pages.packs_page,
    DOCS / "hexdungeon-keys.md": pack_pages.hexdungeon_page,
    DOCS / "games.md": games_page,
    DOCS / "hexdungeon-actions.md": lambda: actions_page(
        "HexDungeon", hex_actions, hex_terms, action_words.HEXDUNGEON
    ),
}
PAGES |= {
    DOCS / name: functools.partial(env_cards.card, env_id)
    for name, env_id in env_cards.card_pages().items()
}
# Tables of reference that git ignores
BUILT: dict[Path, Callable[[], str]] = {
    DOCS / "layout.md": lambda: layout_page(
        *("Agemonia", "agemonia-rules.md"),
        *(layout, obs_arrays.STRUCTURE, obs_spec, action_spec, obs_arrays),
    ),
    DOCS / "hexdungeon-layout.md": lambda: layout_page(
        *("HexDungeon", "hex-rules.md"),
        *(hex_layout, hex_structure.STRUCTURE, hex_obs_spec, hex_action_spec, hex_structure),
    ),
}
BUILT |= {DOCS / book.page: book.write for book in rulebook.BOOKS}


def write_pages(pages: Mapping[Path, Callable[[], str]]) -> None:
    """Write pages into docs/, those that changed."""
    for target, write in pages.items():
        text = write()
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages(PAGES | BUILT)
