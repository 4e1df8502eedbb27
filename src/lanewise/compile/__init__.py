"""Programs for ShaderCore made of other programs."""
