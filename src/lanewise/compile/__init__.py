"""From Direct3D 9 to ShaderCore."""
