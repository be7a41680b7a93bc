"""Scenarios drawn from seeds, by kernels: plan -> CONTENT.

shapes.py: what the kernels read and write; rooms.py: rooms and doors; goal.py: goal, exits, loot;
monsters.py: who waits where; terrain.py: the other hexes; plan.py: all of it, from a seed;
parts.py: CONTENT; draw.py: the entry.
"""
