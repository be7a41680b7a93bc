"""How the rules play, as last agreed: agemonia_env/rulesets/pins.json.

A changed rule makes `test_the_rules_play_as_they_did` fail. If the change is meant, write the new
hashes, and let a reviewer see which scenarios play differently:

    python tests/identity/pins.py --write
    python -m agents.results restamp    the published models are of other rules now

Users of a package whose sources are those of the pins play no games to know the rules:

    python tests/identity/pins.py --current    status 1 if the pins are of other sources
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, not installed

from agemonia_env.files.writing import write_json
from agemonia_env.rulesets.behaviour import behaviour_of
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.identity import BEHAVIOUR, PINS, PLAYED_BY, pinned, played_by
from agemonia_env.rulesets.ruleset import ruleset_of


def here():
    """By environment: how its rules play here, played now, and by which sources."""
    found = map(ruleset_of, RULESETS)
    return {one.env_id: {PLAYED_BY: played_by(one), BEHAVIOUR: behaviour_of(one)} for one in found}


def stale():
    """Environments whose pins are of other sources."""
    return [env for env in RULESETS if pinned()[env][PLAYED_BY] != played_by(ruleset_of(env))]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--write"]:
            write_json(PINS, here())
        case ["--current"]:
            if stale():
                sys.exit(f"{', '.join(stale())}: python tests/identity/pins.py --write")
        case _:
            sys.exit(__doc__)
