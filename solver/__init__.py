"""What would be best: depends on story alone."""
