"""Tools: exact damage distributions, and every outcome of monster turns."""
