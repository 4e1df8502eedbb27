"""Studio: a page on this machine that shows what shaders do, and the server that works it out."""

__version__ = "0.1.0"
