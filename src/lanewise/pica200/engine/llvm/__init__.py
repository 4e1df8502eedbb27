"""The LLVM engine: compiled for all lanes, bit-identical to the reference engine."""
