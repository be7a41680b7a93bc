"""The compiled core of HexDungeon: numba and numpy only; no strings, no files."""
