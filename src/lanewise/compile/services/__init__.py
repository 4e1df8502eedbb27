"""Services of `lanewise compile` for each target, and sources of front ends as files of their instruction set."""
