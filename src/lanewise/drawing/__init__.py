"""Triangles of a run as a rasterizer gets them, for every ISA: pictures, reasons why nothing is visible, mesh files.

An ISA describes its clip volume (`Volume`) and gives a `Scene`; nothing here knows an instruction set.
"""
