"""Owns which modules and names of the standard library are documented, and where; renders nothing.

A name is documented once, at its public place: `collections.deque`, not `_collections.deque`.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

# Modules that act, open windows, only exist for other tools, or document another module's names.
_SKIPPED = frozenset(
    """
    __main__ antigravity this idlelib lib2to3 tkinter turtle turtledemo test tests ensurepip
    posix nt pydoc_data distutils nturl2path ntpath posixpath genericpath sre_compile
    sre_constants sre_parse pyexpat xxlimited xxsubtype nis msilib winreg winsound opcode
    """.split()
)
_SKIPPED_PARTS = frozenset(
    ("__main__", "test", "tests", "testmock", "testing", "idle_test", "encodings", "macholib")
)
# Reached by attribute, not by walking the file system.
_EXTRA = ("os.path", "typing.io", "xml.parsers.expat")


@dataclass(frozen=True, slots=True)
class Named:
    """One public name of a module: `place` is `module.name`."""

    place: str
    name: str
    value: object


def module_names() -> list[str]:
    """Return the importable public modules of the standard library, packages' modules included."""
    found: list[str] = []
    for top in sorted(sys.stdlib_module_names):
        if top.startswith(("_", "test")) or top in _SKIPPED:
            continue
        found.append(top)
    return ["builtins", *(name for name in found if name != "builtins")]


def modules() -> Iterator[tuple[str, types.ModuleType]]:
    """Import and yield the standard library's modules, shortest names first; never raises."""
    names = module_names()
    deeper: list[str] = []
    for name in names:
        module = imported(name)
        if module is None:
            continue
        yield name, module
        deeper.extend(_below(name, module))
    for name in sorted({*deeper, *_EXTRA}, key=lambda n: (n.count("."), n)):
        module = imported(name)
        if module is not None:
            yield name, module


def imported(name: str) -> types.ModuleType | None:
    """Import a module whatever it raises, SystemExit included; None when it cannot be."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if name == "os.path":
                return importlib.import_module("os").path  # type: ignore[no-any-return]
            return importlib.import_module(name)
    except BaseException:  # noqa: BLE001  module code may raise anything; one bad module must not end the build
        return None


def public_names(place: str, module: types.ModuleType) -> Iterator[Named]:
    """Yield the names that a module offers as its own, in the order of its source."""
    listed = _listed(module)
    for name in [*(listed or ()), *sorted(vars(module).keys() - set(listed or ()))]:
        if name.startswith("_"):
            continue
        try:
            value = getattr(module, name)
        except Exception:  # noqa: BLE001  lazy attributes may raise anything
            continue
        if isinstance(value, types.ModuleType):
            continue
        if listed is None and not _is_own(place, module, value):
            continue
        if listed is not None and name not in listed and not _is_below(module, value):
            continue
        yield Named(f"{place}.{name}", name, value)


def is_documented(value: object) -> bool:
    """Say whether a value is a class or something callable (constants have no docstring)."""
    return isinstance(value, type) or callable(value)


def home(value: object) -> str:
    """Return the module and name a value itself claims, such as `collections.deque`."""
    module = getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
    return f"{module}.{name}" if isinstance(module, str) else str(name)


def _listed(module: types.ModuleType) -> list[str] | None:
    names = getattr(module, "__all__", None)
    if not isinstance(names, list | tuple):
        return None
    return [name for name in dict.fromkeys(names) if isinstance(name, str)]


def _is_own(place: str, module: types.ModuleType, value: object) -> bool:
    """Without `__all__`: what the module defines, or takes from its own C accelerator."""
    origin = getattr(value, "__module__", None)
    if origin is None:
        return isinstance(value, types.BuiltinFunctionType)
    return origin in (place, module.__name__, f"_{module.__name__}") or (
        isinstance(origin, str) and origin.startswith("_") and not origin.startswith("__")
    )


def _is_below(module: types.ModuleType, value: object) -> bool:
    """Packages re-export names of their modules, and sometimes forget them in `__all__`."""
    origin = getattr(value, "__module__", None)
    return isinstance(origin, str) and origin.startswith(f"{module.__name__}.")


def _below(name: str, module: types.ModuleType) -> Iterator[str]:
    """Yield the names of a package's public modules, without importing what lies beneath."""
    for info in pkgutil.walk_packages(getattr(module, "__path__", []), f"{name}.", lambda _: None):
        parts = info.name.split(".")
        if any(part.startswith("_") or part in _SKIPPED_PARTS for part in parts):
            continue
        yield info.name
