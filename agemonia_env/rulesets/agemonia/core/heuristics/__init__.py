"""Values of answers in points of damage, for scripted play and the planner."""
