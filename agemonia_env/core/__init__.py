"""What both rulesets stand on: how kernels are compiled, and where chance comes from."""
