"""What is played: decks, rules, state. Knows no screen, no solver, no random numbers."""
