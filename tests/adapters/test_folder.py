import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.sources.folder_corpus import (
    folder_documents,
    folder_files,
    folder_stamps,
)
from lazyboy_jupyter.adapters.sources.folder_text import decoded, title_and_text


@pytest.mark.parametrize(
    ("name", "data", "title", "text"),
    [
        ("a.md", b"# My *Title*\n\nBody", "My Title", "# My *Title*\n\nBody"),
        ("a.md", b"---\ntitle: Front\n---\nBody", "Front", "Body"),
        ("a.rst", b"Head\n====\n\nBody", "Head", "Head\n====\n\nBody"),
        ("notes.txt", b"just text", "notes", "just text"),
        ("a.txt", "caf\u00e9".encode("latin-1"), "a", "caf\u00e9"),
        ("a.txt", "h\u00e9llo".encode("utf-16"), "a", "h\u00e9llo"),
        ("a.txt", b"\xef\xbb\xbfbom", "a", "bom"),
        (
            "p.html",
            b"<title>T</title><h1>Head</h1><p>One <b>two</b>.</p><script>x()</script>",
            "Head",
            "# Head\n\nOne two.",
        ),
        ("p.html", b"<p>a<p hidden>secret</p><ul><li>x<li>y</ul>", "p", "a\n\n- x\n- y"),
        ("p.html", b"<p>unclosed <div><b>text", "p", "unclosed\n\ntext"),
    ],
)
def test_title_and_text(name: str, data: bytes, title: str, text: str) -> None:
    assert title_and_text(data, name) == (title, text)


@given(st.binary(max_size=300), st.sampled_from(["x.md", "x.html", "x.rst", "x"]))
def test_any_bytes_are_read(data: bytes, name: str) -> None:
    title, text = title_and_text(data, name)
    assert isinstance(title, str)
    assert isinstance(text, str)
    assert isinstance(decoded(data), str)


def test_the_folder_is_never_left(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (root / "a.md").write_text("# A\n\ntext")
    (root / "sub" / "b.txt").write_text("b")
    (root / "loop").symlink_to(root)
    (root / "sub" / "up").symlink_to(root)
    (root / "out").symlink_to(outside)
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "broken.md").symlink_to(root / "nowhere")
    (root / "same.md").symlink_to(root / "a.md")
    (root / ".hidden").mkdir()
    (root / ".hidden" / "h.md").write_text("h")
    os.mkfifo(root / "pipe.md")
    names = sorted(path.name for path in folder_files(root))
    assert names == ["a.md", "b.txt"]
    assert [d.title for d in folder_documents(root)] == ["A", "b"]


def test_only_changed_files_are_read_again(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\none")
    (tmp_path / "b.md").write_text("# B\n\ntwo")
    known = {d.url: d.stamp for d in folder_documents(tmp_path)}
    assert known == folder_stamps(tmp_path)
    assert list(folder_documents(tmp_path, known)) == []
    (tmp_path / "a.md").write_text("# A\n\nmore than before")
    assert [d.title for d in folder_documents(tmp_path, known)] == ["A"]


def test_without_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError):
        list(folder_documents(tmp_path / "nowhere"))
