"""Where people meet the game: depends on story and solver."""
