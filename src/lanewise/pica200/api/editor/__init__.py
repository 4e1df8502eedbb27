"""What editors ask about sources of the PICA200: `language.editor_of` makes the `Editor` of a language."""
