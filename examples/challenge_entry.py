"""A complete entry for `agemonia challenge`: it attacks if it can, and otherwise picks at random.

agemonia challenge --command "python challenge_entry.py" --set trial --out row.json
"""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 1, "name": "attack first", "wants": []}
    elif message["type"] == "decision":
        options = message["options"]
        attacks = [one for one in options if "attack" in one["words"].lower()]
        answer = {"action": random.choice(attacks or options)["action"]}
    else:  # "game", "end" and "quit" need no answer
        continue
    print(json.dumps(answer), flush=True)
