"""The screens of the terminal interface; each is imported when it is first shown."""
