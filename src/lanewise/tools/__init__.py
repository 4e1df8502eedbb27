"""Command-line programs: argv, files and screens, only here."""
