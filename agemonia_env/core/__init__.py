"""The core shared by all rulesets: compiling, random streams, task stack, search, env slots."""
