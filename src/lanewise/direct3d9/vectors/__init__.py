"""Test vectors of Direct3D 9 shaders, under each number rule."""
