"""The HexDungeon ruleset: hex boards, exact sight, modifier decks, monsters with focus."""
