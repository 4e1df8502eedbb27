"""The services of the package: what commands ask of it. No argv, files or screens here."""
