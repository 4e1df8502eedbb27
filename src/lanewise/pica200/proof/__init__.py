"""Equality of programs: terms, walks over two programs at once, the prover."""
