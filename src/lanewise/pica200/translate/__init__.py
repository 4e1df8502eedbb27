"""PICA200 programs as source code in other languages."""
