"""Assembly languages: reading and writing programs as text."""
