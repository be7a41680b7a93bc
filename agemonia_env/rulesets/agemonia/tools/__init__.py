"""Tools: exact odds of attacks and checks."""
