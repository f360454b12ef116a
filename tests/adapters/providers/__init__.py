"""Models of providers, against scripted endpoints on loopback."""
