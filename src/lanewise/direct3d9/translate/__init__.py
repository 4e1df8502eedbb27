"""Direct3D 9 shaders as source code in other languages."""
