"""Sources: where search results and pages come from."""
