"""The HexDungeon ruleset: hex boards, exact sight, modifier decks, monsters with focus.

`core/` is compiled: numbers only, no strings, no files.
Beside it: `content/` reads packs, `states/` reads states in Python, `view/` has texts and pictures,
`cases/` runs rule cases, `envs/` has the environments.
"""

from agemonia_env.rulesets.doors import Doors

DOORS = Doors(
    package=__name__,
    env_id="HexDungeon-v0",
    ruleset="ruleset:HEXDUNGEON",
    single="envs.single:HexDungeonEnv",
    pack_files=("templates.yaml", "classes", "monsters"),
    starter=("hex-core", "warm-cellar"),
    keys="docs/hexdungeon-keys.md",
    reads_cases="cases.runner:reads_cases",
    gauntlet="there is no gauntlet: its scenarios carry nothing on",
    coverage="coverage:COVERAGE_TOOLS",
    analyse="content.pack_tools:USAGE_TOOLS",
)
__getattr__ = DOORS.env_class  # HexDungeonVectorEnv and so on
