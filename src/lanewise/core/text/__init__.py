"""Text shared by all languages: numbers, quoted texts, formatted lines."""
