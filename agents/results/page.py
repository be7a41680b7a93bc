"""Writes docs/results.md from the data of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .known import Fact
from .page_config import CARDS, ENEMIES, HEROES

COMMAND = "python -m agents.results"
WON, CURVES, RIVALS = "won.png", "curves.png", "curves-enemies.png"
BOTH = "curves-both-sides.png"
LATER = "later"  # suffix of a picture with models added after the others were published
HEADS = {
    HEROES: ("policy", "won", "95 % interval", "games", "of each seed", "samples", "minutes"),
    ENEMIES: (
        "heroes",
        "enemies",
        "heroes win",
        "95 % interval",
        "change",
        "games",
        "of each seed",
    ),
}
INTRODUCTION = f"""# Results

How often each policy wins, in percent, with the 95 % Wilson interval. A *setting* is what is \
played: two heroes in a [scenario](scenarios.md), or in scenarios drawn from the seeds kept \
for tests (`procedural`). All policies of a setting play the same seeds.

| policy | what it is |
|---|---|
| random, greedy, planner | any legal action, scripted play, tree search ([policies](policies.md)) |
| PPO, an output for each action; MaskablePPO | trained in the setting, by the trainer of this \
project and by that of sb3-contrib |
| PPO on action features, "trained" for short | a network that scores the legal actions, trained \
in the setting ([what to learn with](learning.md#starting-as-greedy-play)) |
| generalist | one network for all scenarios \
([what to learn with](learning.md#one-network-for-all-scenarios)) |
| self-play | heroes and enemies trained against each other ([both sides](self-play.md)) |

A trained row is the mean over its seeds, each a training run of its own. Its interval comes from \
their games together, so it holds for these models only; the column "of each seed" shows their win \
rates, and another seed may differ from them as much as they differ from each other. Samples are \
training decisions and minutes the time of one run on a machine named at the end; both include the \
model that a run started from.

This page is generated: `{COMMAND}` trains what is missing, plays what has changed and writes the \
page, from `agents/configs/results.yaml`. `{COMMAND} write --keep` adds a row and keeps all other \
numbers. The command at each table plays only its games, once the models are trained \
(`{COMMAND} train`); commands for single numbers and models are in [results.json](results.json).
"""
PLANNERS = """## Planner and training

The planner knows the rules and nothing about the scenario; a trained policy has played it \
thousands of times. The table compares the best row of each, and says whether the planner's \
interval is above or below those of all seeds of the other. The planner can beat a policy by at \
most that policy's loss rate. Its games take seconds each, so there are few of them: where hardly \
a game is lost, "level" is all that so few games can show.
"""
WHERE_ENEMIES = """## Enemies with free will

A card says what an enemy may do; with `enemy_will="free"` a policy chooses among all legal \
destinations and targets. How much harder that makes a scenario is the difference from the same \
enemies driven by their cards, in percentage points of the heroes' win rate: in brackets here, \
and in the column "change" below. Enemies "trained against greedy" have learned against greedy \
heroes; those "trained against trained" went on against trained heroes. The "generalist of the \
enemies" is one network for all scenarios, trained against the generalist.
"""

RULES = """Rules are named by a hash of [how they play](identity.md#behaviour-is-observed); \
`agemonia info` prints the hash of your copy. If it differs, the numbers may not hold for it. The \
last columns count the numbers of this page and the models above that were made with each.
"""
TRAINING = """## How they were trained

The headings below, and the legends of the pictures, name the kinds of models as \
`agents/configs/results.yaml` does. Dotted lines are other policies of the table.
"""


def page(facts: Fact, pictures: Sequence[str]) -> str:
    """The whole page; pictures: names of existing files in results/."""
    parts = [INTRODUCTION, picture(pictures, WON, "Win rates with their intervals")]
    parts += ["## All settings\n", overview(facts, HEROES)]
    parts += planner_and_trained(facts)
    heading = "## Heroes against enemies driven by their cards\n"
    if any(row["table"] == HEROES for row in facts["rows"]):
        parts += [heading, *tables(facts, HEROES)]
    if any(row["table"] == ENEMIES for row in facts["rows"]):
        parts += [WHERE_ENEMIES, overview(facts, ENEMIES), *tables(facts, ENEMIES)]
    parts += [TRAINING]
    parts += [picture(pictures, CURVES, "Games won while heroes are trained")]
    parts += [picture(pictures, RIVALS, "Games won while enemies are trained")]
    parts += [picture(pictures, BOTH, "Games won while both sides are trained")]
    parts += [*training(facts), *weights(facts), made_by(facts)]
    return "\n".join(filter(None, parts)).rstrip("\n") + "\n"


def picture(pictures: Sequence[str], name: str, text: str) -> str:
    """A picture and that of later models, if they exist."""
    stem = name.removesuffix(".png")
    names = (one for one in (name, f"{stem}-{LATER}.png") if one in pictures)
    return "\n".join(f"![{text}](results/{one})\n" for one in names)


# ---- tables -------------------------------------------------------------------------------------
def grid(heads: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[int] = (0,)) -> str:
    """A Markdown table; all columns but `words` are numbers."""
    sides = ("---" if column in words else "---:" for column in range(len(heads)))
    lines = (f"| {' | '.join(row)} |" for row in (heads, *rows))
    head, *others = lines
    return "\n".join([head, f"|{'|'.join(sides)}|", *others]) + "\n"


def made_with(pattern: str) -> str:
    """The command that plays the games of a table."""
    return f"`{COMMAND} play --only '{pattern}'`\n"


def overview(facts: Fact, table: str) -> str:
    """The heroes' win rate of every row in every setting."""
    rows = [row for row in facts["rows"] if row["table"] == table]
    names = list(dict.fromkeys(row["name"] for row in rows))
    won = {(row["name"], row["setting"]): in_brief(facts, row) for row in rows}
    settings = list(facts["settings"])
    lines = ([name, *(won.get((name, setting), "-") for setting in settings)] for name in names)
    first = HEADS[table][0] if table == HEROES else "heroes / enemies"
    return made_with(f"^{table}/") + "\n" + grid([first, *settings], lines)


def in_brief(facts: Fact, row: Fact) -> str:
    """The win rate, and in brackets the difference from the cards, if known."""
    change = harder(facts, row)
    return percent(row["won"]) + ("" if change == "-" else f" ({change})")


def planner_and_trained(facts: Fact) -> list[str]:
    """The best planner and the best trained row of each setting; empty without both."""
    lines = []
    for setting in facts["settings"]:
        rows = [r for r in facts["rows"] if (r["table"], r["setting"]) == (HEROES, setting)]
        planners = [row for row in rows if row["policy"].startswith("planner")]
        trained = [row for row in rows if row["cells"][0]["models"]]
        if planners and trained:
            best, other = (max(some, key=lambda row: row["won"]) for some in (planners, trained))
            both = [text for row in (best, other) for text in (row["name"], *rate(row))]
            lines.append([setting, *both, beside(best, other)])
    if not lines:
        return []
    interval = "95 % interval"
    heads = ["setting", "planner", "won", interval, "trained", "won", interval, "the planner is"]
    return [PLANNERS, grid(heads, lines, words=(0, 1, 4, 7))]


def beside(row: Fact, other: Fact) -> str:
    """Whether a row's interval is above, level with or below those of all seeds of another."""
    if row["low"] > max(cell["high"] for cell in other["cells"]):
        return "above"
    return "below" if row["high"] < min(cell["low"] for cell in other["cells"]) else "level"


def tables(facts: Fact, table: str) -> Iterator[str]:
    """A table for each setting."""
    for setting, played in facts["settings"].items():
        rows = [r for r in facts["rows"] if (r["table"], r["setting"]) == (table, setting)]
        if not rows:
            continue
        setting_words = ", ".join(f"{key} {value}" for key, value in played.items())
        line = hero_line if table == HEROES else enemy_line
        yield f"### {setting}" + (": free enemies" if table == ENEMIES else "") + "\n"
        yield f"{setting_words}. {made_with(f'^{table}/{re.escape(setting)}/')}"
        words = (0,) if table == HEROES else (0, 1)
        yield grid(HEADS[table], (line(facts, row) for row in rows), words)


def hero_line(facts: Fact, row: Fact) -> list[str]:
    """A row of the heroes' tables."""
    models = [facts["models"][name] for cell in row["cells"] for name in cell["models"][:1]]
    steps = sum(one["steps"] or 0 for one in chain(facts, models[0])) if models else 0
    minutes = [sum(one["minutes"] for one in chain(facts, model)) for model in models]
    samples = f"{steps:,}" if steps else "-"
    spent = f"{sum(minutes) / len(minutes):.1f}" if minutes else "-"
    return [row["name"], *rate(row), f"{row['games']:,}", seeds(row), samples, spent]


def chain(facts: Fact, model: Fact) -> Iterator[Fact]:
    """A model, and the models that its training started from."""
    yield model
    if model["begins_with"] is not None:
        yield from chain(facts, facts["models"][model["begins_with"]])


def enemy_line(facts: Fact, row: Fact) -> list[str]:
    """A row of the enemies' tables."""
    won, interval = rate(row)
    games = f"{row['games']:,}"
    heroes, _, enemies = row["name"].partition(" / ")
    return [heroes, enemies or CARDS, won, interval, harder(facts, row), games, seeds(row)]


def harder(facts: Fact, row: Fact) -> str:
    """The change of the heroes' win rate compared with the cards, in points."""
    same = [o for o in facts["rows"] if all(o[k] == row[k] for k in ("setting", "policy"))]
    cards = [other for other in same if other["enemies"] == CARDS]
    if not cards or row["enemies"] == CARDS:
        return "-"
    nearest = max(cards, key=lambda other: other["table"] == row["table"])
    return f"{100 * (row['won'] - nearest['won']):+.1f}"


def rate(row: Fact) -> list[str]:
    """Win rate and interval."""
    return [percent(row["won"]), f"{percent(row['low'])} to {percent(row['high'])}"]


def seeds(row: Fact) -> str:
    """The win rate of each seed."""
    cells = row["cells"]
    return "-" if len(cells) == 1 else ", ".join(percent(cell["won"]) for cell in cells)


def percent(share: float) -> str:
    """A share in percent, to one decimal."""
    return f"{100 * share:.1f}"


# ---- models -------------------------------------------------------------------------------------
def training(facts: Fact) -> Iterator[str]:
    """The training command of each kind of model, and its cost."""
    kinds: dict[str, list[Fact]] = {}
    for model in facts["models"].values():
        kinds.setdefault(model["name"], []).append(model)
    for name, models in kinds.items():
        yield f"### {name}\n"
        if rows := ", ".join(f'"{row}"' for row in dict.fromkeys(rows_with(facts, name))):
            yield f"In the tables: {rows}.\n"
        settings = dict.fromkeys(model["setting"] for model in models)
        yield f"For {models[0]['setting']}, seed {models[0]['seed']}; the others likewise:\n"
        yield f"```sh\n{models[0]['command']}\n```\n"
        own = [[m for m in models if m["setting"] == setting] for setting in settings]
        yield grid(["setting", "seeds", "samples", "minutes of each seed"], map(trained, own))


def rows_with(facts: Fact, name: str) -> Iterator[str]:
    """What the tables call a kind of model, on either side."""
    for row in facts["rows"]:
        heroes, _, enemies = row["name"].partition(" / ")
        if row["policy"] == f"{{{name}}}":
            yield heroes
        if row["enemies"] == f"{{{name}}}":
            yield enemies


def trained(models: Sequence[Fact]) -> list[str]:
    """The cost of training in one setting."""
    first = models[0]
    steps = f"{first['steps']:,}" if first["steps"] else "-"
    minutes = ", ".join(f"{model['minutes']:.1f}" for model in models)
    return [first["setting"], ", ".join(str(model["seed"]) for model in models), steps, minutes]


def weights(facts: Fact) -> Iterator[str]:
    """The published models and their win rates."""
    if not facts["weights"]:
        return
    yield "## Weights\n"
    yield (
        "Models in the repository. `agemonia watch --policy FILE` shows one playing, and a test "
        "plays each of them again.\n"
    )
    lines = ([f"`{name}`", one["row"], *rate(one)] for name, one in facts["weights"].items())
    yield grid(["file", "row", "won", "95 % interval"], lines, words=(0, 1))


def made_by(facts: Fact) -> str:
    """Rules, machine and versions."""
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    machines = "; ".join(facts["machines"]) or "nothing yet"
    return f"## Made with\n\n{rules(facts)}\nTrained on: {machines}. Versions: {versions}.\n"


def rules(facts: Fact) -> str:
    """The rules that the numbers and the published weights were measured with."""
    cells = [cell["rules"] for row in facts["rows"] for cell in row["cells"]]
    files = [one["rules"] for one in facts["weights"].values()]
    lines = (
        [f"`{mark}`", entry["version"], f"{cells.count(mark):,}", f"{files.count(mark):,}"]
        for mark, entry in facts["rules"].items()
    )
    return RULES + "\n" + grid(["rules", "version", "numbers", "weights"], lines, words=(0, 1))
