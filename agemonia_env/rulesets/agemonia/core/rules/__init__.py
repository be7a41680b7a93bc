"""The rulebook as functions: one file per section, functions in the order of its rules."""
