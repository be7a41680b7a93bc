"""HexDungeon for people: names, sentences, pages and pictures."""
