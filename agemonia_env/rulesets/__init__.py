"""The rulesets, each a folder with the same doors, and what all of them are asked (ruleset.py)."""
