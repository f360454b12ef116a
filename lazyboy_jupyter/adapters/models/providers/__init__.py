"""Models of providers, reached over the network by a process of their own."""
