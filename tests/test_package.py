"""Promises about the package as a whole."""

import subprocess
import sys
from pathlib import Path

import pytest

import lazyboy_jupyter

ROOT = Path(__file__).parents[1]
CODE = sorted([*ROOT.glob("lazyboy_jupyter/**/*.py"), *ROOT.glob("tests/**/*.py")])
LONGEST = 350


def test_the_public_names() -> None:
    assert lazyboy_jupyter.__all__ == sorted(lazyboy_jupyter.__all__)
    assert set(lazyboy_jupyter.__all__) == {
        "ChatTurn", "Citation", "Claim", "Engine", "Gap", "Guide", "LazyboyError", "Page",
        "Publication",
        "ResearchTask", "SearchResult", "SideAnswer", "SideQuestionRefused", "Source",
        "SourceError", "StandardTask", "StoreError", "Task", "UsageError",
        "__version__", "get_engine",
    }  # fmt: skip
    for name in lazyboy_jupyter.__all__:
        assert getattr(lazyboy_jupyter, name) is not None
    assert dir(lazyboy_jupyter) == sorted(lazyboy_jupyter.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        lazyboy_jupyter.no_such_name  # noqa: B018


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_importing_and_loading_bring_in_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "before = set(sys.modules)\n"
        "shell.extension_manager.load_extension('lazyboy_jupyter')\n"
        "print(*sorted(name.partition('.')[0] for name in set(sys.modules) - before))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    new = set(done.stdout.split())
    assert "lazyboy_jupyter" in new
    assert not new & {"duckdb", "pydantic", "filelock", "platformdirs", "snowballstemmer", "numpy"}


def test_an_engine_is_imported_without_what_only_some_questions_need() -> None:
    code = "import sys, lazyboy_jupyter.engine.engine; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {
        "anthropic", "ddgs", "google.genai", "httpcore", "httpx", "keyring", "lxml", "openai",
        "playwright", "pydantic_ai", "pypdfium2", "sqlite3", "trafilatura", "truststore",
    }  # fmt: skip
    assert not heavy & set(done.stdout.split())


def test_the_readme_and_the_changelog_speak_of_this_version() -> None:
    assert f"## [{lazyboy_jupyter.__version__}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "make test" in (ROOT / "README.md").read_text("utf-8")
