"""NumPy arrays of the API, or lists without NumPy, for every ISA: raw words, outputs by name, addresses.

`core` uses only the standard library, and ISA packages do not import each other, so code with NumPy for several ISAs is here.
"""
