"""ShaderCore, a scalar ISA of 16 lanes with pipes and latencies."""
