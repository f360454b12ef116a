"""A real browser: found, kept in a child process of ours, and let out through the guard alone."""
