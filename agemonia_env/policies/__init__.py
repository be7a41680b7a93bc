"""Policies that play: whoever chooses among the legal actions."""
