"""The environments, written once: a class with a `ruleset` is one of that ruleset."""
