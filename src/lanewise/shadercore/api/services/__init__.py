"""Services of the package for commands, without argv, files or screens."""
