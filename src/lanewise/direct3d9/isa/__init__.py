"""The instruction table, the codec, programs and how they are laid out."""
