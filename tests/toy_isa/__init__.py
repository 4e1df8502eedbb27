"""An instruction set that exists to show what a package needs: an accumulator, eight registers, eight instructions."""
