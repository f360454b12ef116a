from pathlib import Path

import pytest

from lazyboy_jupyter.config import Settings, budget_with, default_store, load_settings, names_of
from lazyboy_jupyter.errors import BudgetError, UsageError


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def test_a_fresh_machine_needs_no_key() -> None:
    settings = load_settings({})
    assert (settings.model, settings.search, settings.store) == ("extractive", ("auto",), None)


def test_the_environment_goes_before_the_folder_before_the_user() -> None:
    write("home/lazyboy-jupyter/config.toml", 'model = "u"\nsearch = "u"\n[budget]\npages = 1\n')
    assert load_settings({}).search == ("u",)
    write(".lazyboy/config.toml", 'model = "f"\n[budget]\nsearches = 1\n')
    settings = load_settings({})
    assert (settings.model, settings.search) == ("f", ("u",))
    assert budget_with(settings, pages=None).searches == 1
    assert budget_with(settings, pages=3).pages == 3
    assert budget_with(settings).pages == 1
    environment = {"LAZYBOY_MODEL": "e", "LAZYBOY_SEARCH": "a, folder:b", "LAZYBOY_STORE": "s.db"}
    settings = load_settings(environment)
    assert (settings.model, settings.search, settings.store) == (
        "e",
        ("a", "folder:b"),
        Path("s.db"),
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("modle = 'x'", "modle"),
        ("model = 3", "model"),
        ("search = []", "search"),
        ("model_slots = 0", "model_slots"),
        ("model_slots = true", "model_slots"),
        ("[budget]\npage = 3", "budget"),
        ("not toml", "cannot be read"),
    ],
)
def test_a_typing_mistake_in_a_file_is_said_with_its_place(text: str, names: str) -> None:
    write(".lazyboy/config.toml", text)
    with pytest.raises(UsageError, match=names) as caught:
        load_settings({})
    assert "config.toml" in caught.value.sentence


def test_the_slots_of_a_provider_come_from_a_file() -> None:
    assert load_settings({}).model_slots == 16
    write(".lazyboy/config.toml", "model_slots = 3")
    assert load_settings({}).model_slots == 3


def test_a_budget_out_of_range_in_a_file_is_said() -> None:
    write(".lazyboy/config.toml", "[budget]\npages = 99")
    with pytest.raises(BudgetError):
        budget_with(load_settings({}))


@pytest.mark.parametrize(
    ("notebook", "path"),
    [
        (None, "/here/.lazyboy/console.duckdb"),
        ("", "/here/.lazyboy/console.duckdb"),
        ("a/b/My note.ipynb", "/here/.lazyboy/My note.duckdb"),
        ("/usr/My note.ipynb", "/usr/.lazyboy/My note.duckdb"),
        ("/no/such/folder/x.ipynb", "/here/.lazyboy/x.duckdb"),
    ],
)
def test_each_notebook_has_its_own_store(notebook: str | None, path: str) -> None:
    assert default_store(notebook, Path("/here")) == Path(path)


def test_names_of() -> None:
    settings = Settings(cache=Path("c"), search=("x",))
    assert names_of(None, settings) == ("x",)
    assert names_of("y", settings) == ("y",)
    assert names_of(["y", "z"], settings) == ("y", "z")


def test_hosts_are_allowed_by_the_environment_before_the_file() -> None:
    write(".lazyboy/config.toml", 'allow_hosts = ["a.example", "10.0.0.0/8"]\n')
    assert load_settings({}).allow_hosts == ("a.example", "10.0.0.0/8")
    found = load_settings({"LAZYBOY_ALLOW_HOSTS": "localhost:8080, b.example"})
    assert found.allow_hosts == ("localhost:8080", "b.example")
    write(".lazyboy/config.toml", "allow_hosts = 7\n")
    with pytest.raises(UsageError, match="allow_hosts"):
        load_settings({})
