"""Test vectors: programs with data and expected results, for implementations in other languages."""
