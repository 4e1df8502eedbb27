"""Foundations of every layer: bit fields, float formats, places, diagnostics."""
