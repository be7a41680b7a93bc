"""A third ruleset: the rules of Agemonia with fewer arguments, and words of its own."""

from agemonia_env.rulesets.doors import Doors

DOORS = Doors(
    package=__name__,
    env_id="Twin-v0",
    ruleset="ruleset:TWIN",
    single="envs:TwinEnv",
    vector="envs:TwinVectorEnv",
    sb3="sb3:TwinVecEnv",
    aec="pettingzoo:TwinAECEnv",
    parallel="pettingzoo:TwinParallelEnv",
    pack_files=("twins",),
    starter=("core", "ford"),
    keys="docs/packs.md",
    gauntlet="there is no gauntlet: a twin is enough",
    coverage="there is no coverage: that of its sister serves",
    analyse="there is no analysis: that of its sister serves",
    pack_tools="pack_tools:PACK_TOOLS",
    check_pack="cases:check",
    run_cases="cases:run_cases",
    reads_cases="cases:reads_cases",
)
