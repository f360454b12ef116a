"""A person's own folder: what is found, how it is read, what is survived."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.blocking_worker import BlockingWorker
from lazyboy_jupyter.adapters.sources.folder_corpus import folder_files, folder_stamps
from lazyboy_jupyter.adapters.sources.folder_reading import read_file
from lazyboy_jupyter.adapters.sources.folder_text import plain_title_and_text
from lazyboy_jupyter.adapters.sources.jobs import read, search, update
from tests.loopback.documents import pdf_of

HTML = (
    "<html><head><title>Dredging costs</title></head><body><nav><a href='/'>Home</a></nav><main>"
    "<h1>Dredging</h1><p>Dredging the channel costs four million euros a year, and more after a "
    "flood, as the sand comes back.</p><p hidden>secret</p></main></body></html>"
)


@pytest.fixture(scope="module")
def worker() -> Iterator[BlockingWorker]:
    with BlockingWorker() as one:
        yield one


@pytest.mark.parametrize(
    ("name", "text", "title", "body"),
    [
        ("a.md", "# My *Title*\n\nBody", "My Title", "# My *Title*\n\nBody"),
        ("a.md", "---\ntitle: Front\n---\nBody", "Front", "Body"),
        ("a.rst", "Head\n====\n\nBody", "Head", "Head\n====\n\nBody"),
        ("notes.txt", "just text", "notes", "just text"),
        ("a.txt", "one\r\ntwo\rthree\x00", "a", "one\ntwo\nthree"),
    ],
)
def test_plain_documents(name: str, text: str, title: str, body: str) -> None:
    assert plain_title_and_text(text, name) == (title, body)


def test_each_kind_of_document_is_read(tmp_path: Path, worker: BlockingWorker) -> None:
    notebook = {"cells": [{"cell_type": "markdown", "source": "# Tides\n\nThe tide is high."}]}
    files = {
        "a.md": b"# Gates\n\nGates cost money.",
        "b.txt": "h\u00e9llo wörld".encode("utf-16"),
        "c.html": HTML.encode(),
        "d.pdf": pdf_of(["The pump was built in 1953."], "Pumps"),
        "e.ipynb": json.dumps(notebook).encode(),
        "f.org": b"* Locks\nLocks lift ships.",
    }
    found = {}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        document = read_file(tmp_path / name, "1", worker)
        assert document.problem == ""
        found[name] = (document.title, document.text)
    assert found["a.md"] == ("Gates", "# Gates\n\nGates cost money.")
    assert found["b.txt"][1] == "h\u00e9llo wörld"
    assert "four million euros" in found["c.html"][1]
    assert "secret" not in found["c.html"][1]
    assert found["d.pdf"][0] == "Pumps"
    assert "The pump was built in 1953." in found["d.pdf"][1]
    assert found["e.ipynb"] == ("Tides", "# Tides\n\nThe tide is high.")
    assert "Locks lift ships." in found["f.org"][1]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.pdf", b"%PDF-1.4 broken", "a.pdf"),
        ("a.pdf", b"PK\x03\x04 a zip in disguise", "a.pdf"),
        ("a.html", b"\x89PNG\r\n\x1a\n" + bytes(100), "a.html"),
        ("a.ipynb", b"no json", "no Jupyter notebook"),
        ("a.md", b"   ", "no text"),
        ("a.txt", b"", "no text"),
    ],
)
def test_what_cannot_be_read_is_said_by_its_name(
    tmp_path: Path, worker: BlockingWorker, name: str, data: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(data)
    document = read_file(tmp_path / name, "1", worker)
    assert document.text == "" or not document.text.strip()
    assert said in document.problem
    assert document.problem.endswith(".")


def test_a_file_that_vanishes_is_said(tmp_path: Path, worker: BlockingWorker) -> None:
    assert "cannot be opened" in read_file(tmp_path / "gone.md", "1", worker).problem


@given(data=st.binary(max_size=300), name=st.sampled_from(["x.md", "x.rst", "x.ipynb", "x.txt"]))
def test_any_bytes_are_survived(
    tmp_path_factory: pytest.TempPathFactory, worker: BlockingWorker, data: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data)
    document = read_file(path, "1", worker)
    assert bool(document.problem) == (not document.text.strip())


def test_the_folder_is_never_left(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (root / "a.md").write_text("# A\n\ntext")
    (root / "sub" / "b.txt").write_text("b")
    (root / "c.bin").write_text("c")
    (root / "loop").symlink_to(root)
    (root / "sub" / "up").symlink_to(root)
    (root / "one.md").symlink_to(root / "two.md")
    (root / "two.md").symlink_to(root / "one.md")
    (root / "out").symlink_to(outside)
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "broken.md").symlink_to(root / "nowhere")
    (root / "same.md").symlink_to(root / "a.md")
    (root / ".hidden").mkdir()
    (root / ".hidden" / "h.md").write_text("h")
    os.mkfifo(root / "pipe.md")
    assert sorted(path.name for path in folder_files(root)) == ["a.md", "b.txt"]
    assert sorted(path.name for path in folder_stamps(root)) == ["a.md", "b.txt"]


def test_links_lead_to_what_is_inside_by_its_own_name(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "a.md").write_text("a")
    (root / "sub" / "no.bin").write_text("b")
    (root / "plain").symlink_to(root / "sub" / "a.md")  # whatever the link is called
    (root / "bin.md").symlink_to(root / "sub" / "no.bin")
    (root / "venv").symlink_to(root / "sub")
    (root / "folder.md").mkdir()
    (root / "folder.md" / "b.md").write_text("b")
    assert [str(path.relative_to(root)) for path in folder_files(root)] == [
        "sub/a.md", "folder.md/b.md",
    ]  # fmt: skip


def test_what_is_no_document_costs_no_look_at_the_disk(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number}.png").touch()
    (tmp_path / "a.md").write_text("a")
    looks = 0

    def count(frame: FrameType, event: str, called: Any) -> None:
        nonlocal looks
        looks += event == "c_call" and called.__name__ in {"stat", "lstat", "readlink"}

    sys.setprofile(count)
    try:
        found = list(folder_files(tmp_path))
    finally:
        sys.setprofile(None)
    assert [path.name for path in found] == ["a.md"]
    assert looks < 100


def test_without_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError):
        folder_stamps(tmp_path / "nowhere")


def indexed(tmp_path: Path) -> tuple[str, str]:
    folder = tmp_path / "docs"
    folder.mkdir()
    return str(tmp_path / "cache"), str(folder)


def titles(cache: str, folder: str, query: str) -> list[str]:
    assert update(cache, folder) is None
    found = search(cache, folder, query, 10)
    assert isinstance(found, list)
    return [one.title for one in found]


def test_a_file_that_cannot_be_read_is_known_and_not_tried_again(tmp_path: Path) -> None:
    cache, folder = indexed(tmp_path)
    broken = Path(folder, "gates.pdf")
    broken.write_bytes(b"%PDF-1.4 broken")
    Path(folder, "gates.md").write_text("# Gates\n\nGates cost money.")
    assert titles(cache, folder, "gates") == ["Gates"]
    answer = read(cache, folder, broken.as_uri())
    assert getattr(answer, "kind", "") == "unreadable"
    stamp = broken.stat().st_mtime_ns
    broken.write_bytes(pdf_of(["Gates of 1953."]))
    os.utime(broken, ns=(stamp, stamp))
    # Same stamp and another size: it has changed, and is read now.
    assert len(titles(cache, folder, "gates")) == 2
    before = Path(cache).stat()
    assert len(titles(cache, folder, "gates")) == 2
    assert Path(cache).stat().st_mtime_ns == before.st_mtime_ns


def test_a_thousand_files_are_read_in_steps_and_only_once(tmp_path: Path) -> None:
    cache, folder = indexed(tmp_path)
    for number in range(1_000):
        Path(folder, f"{number}.md").write_text(f"# File {number}\n\nGate number {number} of all.")
    Path(folder, "scan.pdf").write_bytes(b"%PDF-1.4 broken")
    assert titles(cache, folder, "gate number 777")[0] == "File 777"
    Path(folder, "777.md").unlink()
    Path(folder, "778.md").write_text("# Other\n\nNothing of it is left.")
    found = titles(cache, folder, "gate number 777")
    assert "File 777" not in found
    assert "File 778" not in found
