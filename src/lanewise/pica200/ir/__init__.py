"""Intermediate representations of a program: control-flow graph and SSA."""
