"""The command line `agemonia`."""
