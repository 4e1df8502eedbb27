"""Instruction tables, the codec, programs and the policies that lay them out."""
