"""Vector programs compiled to programs for the PICA200."""
