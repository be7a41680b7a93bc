"""The Agemonia ruleset: numba and numpy only; no strings, no files."""
