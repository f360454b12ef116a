"""The store: one DuckDB file, one owner, one writer thread. Nothing else opens the database."""
