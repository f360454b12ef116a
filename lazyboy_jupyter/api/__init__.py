"""The HTTP contract: a kernel's research as JSON and server-sent events (DESIGN §10)."""
