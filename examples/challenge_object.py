"""An entry for `agemonia challenge` as a Python object: it attacks if it can.

agemonia challenge --object challenge_object.py:AttackFirst --set trial --out row.json
"""

import random


class AttackFirst:
    """Attacks if it can, and otherwise picks at random."""

    name = "attack first"
    wants = ()

    def act(self, decision):
        """The number of an option."""
        attacks = [one for one in decision.options if "attack" in one.words.lower()]
        return random.choice(attacks or decision.options).action
