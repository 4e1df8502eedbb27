"""Engines run a program over lanes of data."""
