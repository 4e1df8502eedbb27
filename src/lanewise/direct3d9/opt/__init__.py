"""Shaders with fewer instruction slots and the same outputs, bit for bit: `lanewise opt`."""
