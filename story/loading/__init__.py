"""From YAML nodes to cards: the deck format ``cardwalk/1`` as a schema, one module a part of it."""
