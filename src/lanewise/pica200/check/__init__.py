"""Rules on the flow graph."""
