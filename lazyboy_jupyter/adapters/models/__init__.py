"""Models: who writes the guide."""
