"""Encounters on the 5 by 3 playfield: sections 6 to 13 of the rules."""
