"""Review files: a game as one HTML page that opens offline, and that Python can play on.

recording.py  what a game leaves while it is played
rollouts.py   win rates of a position and its options
analysis.py   what each decision was worth; skill and luck apart
page.py       the HTML page
wrapper.py    RecordGames, a wrapper that writes such files
play.py       plays, analyses and writes games by a policy

rulesets/recorded_game.py and envs/replay.py read the files: `RulesetEnv.from_review`.
"""

from .wrapper import RecordGames

__all__ = ["RecordGames"]
