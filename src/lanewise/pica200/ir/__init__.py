"""A program between its words and an engine: control-flow graph and SSA."""
