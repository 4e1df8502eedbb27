"""Equality of two shaders: what one lane does, on terms."""
