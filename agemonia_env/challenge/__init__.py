"""The challenge: entries of every kind play fixed games, and the result can be checked by anyone.

    settings.py   what is played, and the seed of every game
    decision.py   a decision as an entry sees it
    messages.py   the line protocol: JSON over standard input and output
    entries.py    entries: a command, a Python object, a policy by name
    referee.py    one game: the clock, and what happens to wrong answers
    row.py        a row of the leaderboard, and its hash
    play.py       all games of an entry
    verify.py     play the games of a row again and compare

docs/challenge.md says how to enter.
"""
