"""Compilers: front ends give programs, back ends make code of instruction sets of them."""
