"""Direct3D 9 assembly, as Microsoft documents it: reading and writing it."""
