"""What every compiled engine needs of LLVM: text, targets, data movement, the kernel cache."""
