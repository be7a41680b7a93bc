"""What happens in random and greedy play over the whole pack, and what never does."""
