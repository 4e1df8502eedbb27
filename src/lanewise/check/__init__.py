"""What the hardware will not forgive, found on every way that a program can go."""
