"""The Agemonia ruleset: areas with room and height, stamina chips, an initiative deck, enemy cards.

`core/` is compiled: numbers only, no strings, no files.
Beside it: `content/` reads packs, `states/` reads states in Python, `view/` has texts and pictures,
`cases/` runs rule cases, `envs/` has the environments.
"""

from agemonia_env.rulesets.doors import Doors

DOORS = Doors(
    package=__name__,
    env_id="Agemonia-v0",
    ruleset="ruleset:AGEMONIA",
    single="envs.single:AgemoniaEnv",
    vector="envs.vector:AgemoniaVectorEnv",
    sb3="envs.sb3:AgemoniaVecEnv",
    more_envs={"AgemoniaGauntlet-v0": "envs.gauntlet:AgemoniaGauntletEnv"},
    pack_files=("decks", "heroes", "enemies"),
    starter=("core", "ford"),
    keys="docs/packs.md",
    gauntlet="envs.gauntlet:AgemoniaGauntletEnv",
    coverage="coverage:COVERAGE_TOOLS",
    analyse="content.pack_tools:USAGE_TOOLS",
)
__getattr__ = DOORS.env_class  # AgemoniaAECEnv and AgemoniaParallelEnv
