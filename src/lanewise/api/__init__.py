"""Text, container and engines joined: what `import lanewise` offers."""
