"""The rules, one file per section of the rulebook; a function says which rule it is."""
