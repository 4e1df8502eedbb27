"""Rewrite rules as rows: what two expressions of the algebra are equal, where, and how that is known."""
