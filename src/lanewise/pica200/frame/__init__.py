"""Frames: what a program told the GPU, from files of emulators and recorders, as draws with their data."""
