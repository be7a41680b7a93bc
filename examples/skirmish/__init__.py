"""A whole ruleset, small: two sides of fighters on a grid, who walk, strike and guard with dice.

rules.py has the rules, compiled; ruleset.py what people write and read: packs, arguments, words.
"""

from agemonia_env.rulesets.doors import Doors

DOORS = Doors(
    package=__name__,
    env_id="Skirmish-v0",
    pack_files=("fighters",),
    starter=("arena", "bridge"),
    keys="examples/skirmish/ruleset.py",
    check_pack="ruleset:FORMAT.check",
    pack_tools="ruleset:PACK_TOOLS",
    starter_enemies="ruleset:starter_enemies",
    run_cases="ruleset:CASES.run",
    reads_cases="ruleset:CASES.reads",
)
__getattr__ = DOORS.env_class  # SkirmishEnv, SkirmishVectorEnv and so on
