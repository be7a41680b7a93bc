"""The environments of HexDungeon, and the arguments that they take."""
