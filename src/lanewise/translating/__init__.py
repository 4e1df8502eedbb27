"""Programs as source code of other languages, for any instruction set: structure, languages, functions of numbers, printing."""
