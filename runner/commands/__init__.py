"""The commands of ``cardwalk``, one a module, imported when asked for."""
