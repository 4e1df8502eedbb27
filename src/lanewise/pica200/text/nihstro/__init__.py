"""The nihstro language: reading and writing it. Source: spec 004, reference/nihstro.md, the recorded outcomes of the tool."""
