"""Content packs of any ruleset: folders of YAML files, patches, and a first pack of one's own."""
