"""The engine: one loop thread, its tasks and their tools. It publishes, and never draws."""
