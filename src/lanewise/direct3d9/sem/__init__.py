"""Semantics of instructions, written once against an algebra of operations."""
