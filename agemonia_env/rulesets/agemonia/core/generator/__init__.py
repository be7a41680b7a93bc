"""Scenarios drawn from seeds, by kernels: plan -> CONTENT.

shapes.py: what the kernels read and write; plan.py: map, Enemies and objective drawn from a seed;
parts.py: cards of the pack put together; tables.py: what the rules look up about a map; draw.py:
one after the other.
"""
