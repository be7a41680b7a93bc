"""HexDungeon at the faces: its words and its pictures."""
