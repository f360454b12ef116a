"""Owns searchers that other packages bring, as entry points; each is loaded when it is asked for.

An entry point of the group names a callable without arguments that returns a `Searcher`.
"""

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points

from ....errors import SourceError, UsageError
from ....ports import Searcher, SearchResult

GROUP = "lazyboy_jupyter.searchers"


def plugin_names() -> tuple[str, ...]:
    """Return the names of the searchers that are installed; none is loaded."""
    return tuple(sorted(entry_points(group=GROUP).names))


def load_plugin(name: str) -> "PluginSearcher | None":
    """Return the searcher that an installed package has under `name`, None where none has it.

    Raises `UsageError`, naming the plugin and its package, when it cannot be loaded.
    """
    for entry in entry_points(group=GROUP, name=name):
        return PluginSearcher(entry.name, _loaded(entry))
    return None


class PluginSearcher:
    """A plugin's searcher, whose own mistakes are told with its name."""

    def __init__(self, name: str, inner: Searcher) -> None:
        self.name = name
        self._inner = inner

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` results. Raises `SourceError`."""
        try:
            found = list(await self._inner.search(query, limit))
            whole = all(isinstance(one, SearchResult) for one in found)
        except SourceError:
            raise
        except Exception as error:  # noqa: BLE001 - a plugin's mistake costs one call
            failure = type(error).__name__
        else:
            if whole:
                return found[:limit]
            failure = "it did not return SearchResult values"
        # What it raised may hold its key, so only the kind of error is told.
        raise SourceError(
            "unreadable",
            f"The search plugin {self.name} failed: {failure}.",
            "Tell its authors, or use another source.",
        )


def _loaded(entry: EntryPoint) -> Searcher:
    try:
        made = entry.load()()
    except ImportError as error:
        raise _broken(entry, str(error)) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a plugin does when loaded
        raise _broken(entry, type(error).__name__) from None
    if not callable(getattr(made, "search", None)):
        raise _broken(entry, f"{entry.value} returns no searcher")
    searcher: Searcher = made
    return searcher


def _broken(entry: EntryPoint, why: str) -> UsageError:
    package = entry.dist.name if entry.dist is not None else "an unknown package"
    return UsageError(
        f"The search plugin {entry.name} of {package} cannot be used: {why[:200]}.",
        "Update or uninstall the package, or use another source.",
    )
