"""The searchers of the web, each small, chosen by name; what is common to them stands once."""
