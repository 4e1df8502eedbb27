"""The language of ShaderCore: reading and writing it."""
