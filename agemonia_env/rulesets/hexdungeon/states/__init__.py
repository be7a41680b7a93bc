"""States as Python reads them: named arrays and statistics of games."""
