"""The engine that runs all lanes at once: programs compiled to vector code by LLVM, bit for bit what `engine.reference` gives."""
