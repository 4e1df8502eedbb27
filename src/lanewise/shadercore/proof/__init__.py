"""Equality of two programs on a device."""
