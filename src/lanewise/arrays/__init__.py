"""NumPy arrays as the API takes and gives them, for every ISA: raw words, outputs by name, addresses for compiled code.

`core` is the standard library alone, and an ISA imports no other, so what needs NumPy and serves several ISAs is here.
"""
