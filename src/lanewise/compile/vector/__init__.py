"""Programs of components, between front ends (SPIR-V, Direct3D 9) and back ends."""
