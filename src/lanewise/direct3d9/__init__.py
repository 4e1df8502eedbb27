"""Direct3D 9 vertex and pixel shader bytecode."""
