"""The faces of the game: Gymnasium, Stable-Baselines3, text and pictures."""
