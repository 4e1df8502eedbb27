"""Whether two programs are equal for all inputs, for any instruction set: terms, a walk over both, cases, ranges."""
