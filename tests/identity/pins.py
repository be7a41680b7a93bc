"""How the rules play, as last agreed: pins.json.

A changed rule makes `test_the_rules_play_as_they_did` fail. If the change is meant, write the new
hashes, and let a reviewer see which scenarios play differently:

    python tests/identity/pins.py --write
    python -m agents.results restamp    the published models are of other rules now
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, not installed

from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.identity import BEHAVIOUR, identity_of

PINS = Path(__file__).with_name("pins.json")


def pinned():
    """By environment: how its rules played."""
    return json.loads(PINS.read_text(encoding="utf-8"))


def here():
    """The same for the rules as they are here."""
    return {env: {BEHAVIOUR: identity_of(env)[BEHAVIOUR]} for env in RULESETS}


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    PINS.write_text(json.dumps(here(), indent=1) + "\n", encoding="utf-8")
