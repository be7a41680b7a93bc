"""The compiled core of Agemonia: numba and numpy only; no strings, no files."""
