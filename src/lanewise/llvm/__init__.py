"""LLVM for all compiled engines: text, targets, data movement, the kernel cache."""
