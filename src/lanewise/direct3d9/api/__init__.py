"""The public objects of this instruction set."""
