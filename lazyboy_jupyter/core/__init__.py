"""The pure core: values in, values out. No clock, thread, network, database or randomness."""
