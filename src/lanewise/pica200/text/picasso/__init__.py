"""The picasso language: reading and writing it. Source: conformance rules 1-37 and 45 (observed on picasso 2.7.1)."""
