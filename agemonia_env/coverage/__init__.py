"""Coverage: how often everything in a pack and its rules occurs in random and greedy play."""
