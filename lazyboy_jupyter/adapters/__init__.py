"""Adapters: the outside world behind the ports. Each is small, and chosen by name."""
