"""Smaller programs with the same outputs, bit for bit: `lanewise opt`, and the hints of `lanewise check`."""
