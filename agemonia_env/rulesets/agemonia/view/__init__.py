"""Agemonia for people: names, sentences, pages and pictures."""
