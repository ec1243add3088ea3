"""The shape of decks: every table of the format, its keys in their usual order, what each takes and what it is for.

The loader knows a key because it stands here. The JSON Schema for editors (``story.loading.schema``) and the canonical
layout (``story.loading.layout``) are made from the same tables. What only makes sense of several values together (a
chart that covers its die, a crit number above the miss number) is the loader's alone.
"""
