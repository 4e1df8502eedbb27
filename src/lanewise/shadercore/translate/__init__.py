"""ShaderCore programs as source code in other languages."""
