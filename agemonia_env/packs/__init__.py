"""Content packs of any ruleset: folders of YAML files, patches, and a pack to start from."""
