"""Compile programs of one instruction set to another."""
