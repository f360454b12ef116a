"""Turns the bytes of a page or a file into readable text; runs in worker processes only."""
