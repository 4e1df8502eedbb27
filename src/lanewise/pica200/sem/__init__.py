"""Semantics of the instructions, written once against an algebra of operations."""
