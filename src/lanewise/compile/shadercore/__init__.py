"""The scalar back end: programs for ShaderCore, and Direct3D 9 shaders compiled to them."""
