"""What every language reads and writes alike: numbers, quoted texts, formatted lines."""
