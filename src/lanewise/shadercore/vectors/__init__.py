"""Test vectors of ShaderCore: waves with registers, cycles and the log of writes."""
