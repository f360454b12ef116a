from collections.abc import Mapping
from pathlib import Path, PurePath

import pytest

from lazyboy_jupyter.adapters.sources.browser.find import Machine, find_browser


def machine(
    files: tuple[str, ...] = (),
    commands: Mapping[str, str] | None = None,
    platform: str = "linux",
    has_package: bool = True,
    home: Path = Path("/home/a"),
    **environ: str,
) -> Machine:
    def is_file(path: PurePath) -> bool:
        return str(path).replace("\\", "/") in {file.replace("\\", "/") for file in files}

    return Machine(environ, platform, home, (commands or {}).get, is_file, has_package)


def test_a_named_browser_goes_first_and_a_wrong_name_is_said() -> None:
    here = {"chromium": "/usr/bin/chromium"}
    named = machine(("/opt/c",), here, LAZYBOY_CHROMIUM="/opt/c")
    assert find_browser(named).executable == "/opt/c"
    wrong = find_browser(machine((), here, LAZYBOY_CHROMIUM="/opt/c"))
    assert wrong.executable == ""
    assert wrong.missing == "LAZYBOY_CHROMIUM names /opt/c, and there is no such file."


@pytest.mark.parametrize(
    "command",
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"],
)
def test_a_command_of_the_system_is_found(command: str) -> None:
    found = find_browser(machine(commands={command: f"/usr/bin/{command}"}))
    assert (found.executable, found.missing) == (f"/usr/bin/{command}", "")


def test_applications_of_macos_and_windows_are_found() -> None:
    app = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    assert find_browser(machine((app,), platform="darwin")).executable == app
    assert find_browser(machine((app,))).executable == ""
    exe = r"C:\Program Files/Google/Chrome/Application/chrome.exe"
    windows = machine((exe,), platform="win32", PROGRAMFILES=r"C:\Program Files")
    assert find_browser(windows).executable.endswith("chrome.exe")


def test_the_newest_of_playwrights_own_is_the_last_resort(tmp_path: Path) -> None:
    files = []
    for revision in ("chromium-999", "chromium-1200", "chromium_headless_shell-1300"):
        file = tmp_path / revision / "chrome-linux" / "chrome"
        file.parent.mkdir(parents=True)
        file.touch()
        files.append(str(file))
    own = machine(tuple(files), PLAYWRIGHT_BROWSERS_PATH=str(tmp_path))
    assert find_browser(own).executable == files[1]
    system = machine(tuple(files), {"chromium": "/c"}, PLAYWRIGHT_BROWSERS_PATH=str(tmp_path))
    assert find_browser(system).executable == "/c"


def test_what_is_missing_is_said_with_what_to_do() -> None:
    package = find_browser(machine(commands={"chromium": "/c"}, has_package=False))
    assert package.executable == ""
    assert "pip install 'lazyboy-jupyter[browser]'" in package.missing
    browser = find_browser(machine())
    assert browser.executable == ""
    assert "playwright install chromium" in browser.missing
    assert "LAZYBOY_CHROMIUM" in browser.missing
