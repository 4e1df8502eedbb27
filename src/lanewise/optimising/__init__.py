"""Smaller programs for any instruction set: the driver of an optimiser, and the moves that an operand table can express."""
