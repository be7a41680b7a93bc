"""Case files of HexDungeon: an adapter between JSON and the compiled core, without any rule.

docs/hexdungeon-cases.md describes the format.
"""
