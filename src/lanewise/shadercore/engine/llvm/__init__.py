"""The LLVM engine: bit for bit the results of the reference engine."""
