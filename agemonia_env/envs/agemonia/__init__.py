"""Agemonia for the faces: its arguments, its words and its pictures."""
