"""Trainers and evaluation, one readable file each; they stand on the package, never under it."""
