"""States as Python reads them: named arrays, statistics of games, and what every field may hold."""
