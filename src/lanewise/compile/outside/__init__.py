"""Compilers of other projects that turn GLSL, HLSL and Slang into SPIR-V: which are there, how they are run, what they
report."""
