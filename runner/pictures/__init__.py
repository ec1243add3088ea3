"""Pictures of a campaign's cards: what is shown (``sheet``), where it stands (``layout``), and the four formats."""
