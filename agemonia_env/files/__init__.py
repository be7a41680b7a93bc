"""Files: bounded reading, atomic writing, locks and checksums."""
