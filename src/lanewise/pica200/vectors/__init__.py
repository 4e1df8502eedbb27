"""Test vectors of the PICA200: cases, and what they give under a profile."""
