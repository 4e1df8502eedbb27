"""The engine that compiles a program for all lanes with LLVM, bit for bit what the reference engine gives."""
