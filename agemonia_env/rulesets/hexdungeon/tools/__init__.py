"""Tools beside the game: what an attack deals, exactly, and every outcome of monster turns."""
