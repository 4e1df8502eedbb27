"""Rules of `lanewise check`."""
