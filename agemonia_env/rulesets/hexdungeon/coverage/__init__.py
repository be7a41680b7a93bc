"""Coverage: how often everything in a pack occurs in random and greedy play."""
