"""The Jupyter Server extension: one login for the research of all of a person's kernels."""

from typing import Any


def _load_jupyter_server_extension(server: Any) -> None:
    """Add the routes to a running server."""
    from .handlers import routes

    web = server.web_app
    web.add_handlers(".*$", routes(web.settings["base_url"]))
