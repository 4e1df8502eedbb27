"""Execution logs of other implementations: their pattern language, their entries, and their alignment with a trace."""
