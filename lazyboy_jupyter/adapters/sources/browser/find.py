"""Owns finding a Chromium on this machine; it starts nothing and imports no browser library."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

VARIABLE = "LAZYBOY_CHROMIUM"
_COMMANDS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
)
_MAC_APPS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_WINDOWS_ROOTS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
_WINDOWS_APPS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
)
_REVISION = re.compile(r"chromium-(\d+)")
_INSIDE = (
    "chrome-linux*/chrome",
    "chrome-mac*/*.app/Contents/MacOS/*",
    "chrome-win*/chrome.exe",
)
_INSTALL = (
    "Install one from your system (apt install chromium, brew install --cask chromium), "
    "or run: playwright install chromium"
)


@dataclass(frozen=True, slots=True)
class Machine:
    """What finding a browser looks at. `platform`: as `sys.platform` says it.

    `which`: the path of a command, or None. `has_package`: whether Playwright can be imported.
    """

    environ: Mapping[str, str]
    platform: str
    home: Path
    which: Callable[[str], str | None]
    is_file: Callable[[PurePath], bool]
    has_package: bool


@dataclass(frozen=True, slots=True)
class Found:
    """Where the browser is; or, in `missing`, one sentence and how to get one."""

    executable: str = ""
    missing: str = ""


def find_browser(machine: Machine) -> Found:
    """Return the first browser of: the variable, commands, applications, Playwright's own."""
    if not machine.has_package:
        return Found(
            missing="Pages can be opened in a browser once Playwright is installed: "
            f"pip install 'lazyboy-jupyter[browser]'. It also needs a Chromium. {_INSTALL}"
        )
    if chosen := machine.environ.get(VARIABLE, ""):
        if machine.is_file(Path(chosen)):
            return Found(chosen)
        return Found(missing=f"{VARIABLE} names {chosen}, and there is no such file.")
    for command in _COMMANDS:
        if path := machine.which(command):
            return Found(path)
    for application in _applications(machine):
        if machine.is_file(application):
            return Found(str(application))
    for own in _playwrights_own(machine):
        return Found(str(own))
    return Found(
        missing=f"No Chromium, Chrome or Edge was found. {_INSTALL}, "
        f"or name its file in {VARIABLE}."
    )


def _applications(machine: Machine) -> Iterator[Path]:
    if machine.platform == "darwin":
        for folder in (Path("/Applications"), machine.home / "Applications"):
            for app in _MAC_APPS:
                yield folder / app
    if machine.platform == "win32":
        for name in _WINDOWS_ROOTS:
            if root := machine.environ.get(name):
                for app in _WINDOWS_APPS:
                    yield Path(root, *app.split("\\"))


def _playwrights_own(machine: Machine) -> Iterable[Path]:
    """Yield what `playwright install chromium` has put into its folder, newest first."""
    folder = _registry(machine)
    revisions = [
        (int(match[1]), entry)
        for entry in (folder.iterdir() if folder.is_dir() else ())
        if (match := _REVISION.fullmatch(entry.name))
    ]
    for _, entry in sorted(revisions, reverse=True):
        for pattern in _INSIDE:
            yield from (path for path in sorted(entry.glob(pattern)) if machine.is_file(path))


def _registry(machine: Machine) -> Path:
    if (told := machine.environ.get("PLAYWRIGHT_BROWSERS_PATH", "0")) != "0":
        return Path(told)
    match machine.platform:
        case "darwin":
            return machine.home / "Library" / "Caches" / "ms-playwright"
        case "win32":
            local = machine.environ.get("LOCALAPPDATA")
            return (Path(local) if local else machine.home / "AppData" / "Local") / "ms-playwright"
        case _:
            cache = machine.environ.get("XDG_CACHE_HOME")
            return (Path(cache) if cache else machine.home / ".cache") / "ms-playwright"
