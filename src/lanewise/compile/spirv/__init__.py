"""SPIR-V: reads modules and lowers their vertex shaders to programs of components (`compile.vector`)."""
