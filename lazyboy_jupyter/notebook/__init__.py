"""The notebook: magics, completion, and cards in the right cell. It alone knows IPython."""
