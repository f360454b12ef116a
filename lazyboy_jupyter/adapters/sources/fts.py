"""Owns the SQLite FTS5 side file of a corpus: build, search, read; never decides what is indexed.

The file is a cache: anything wrong with it (old schema, other tokeniser, damage) is answered by
building it again. One `sync` is one transaction, so an interrupted build leaves the older state or
an empty file, never half of one. Readers open the file read-only; with WAL they go on reading the
older state while a writer works.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from lazyboy_jupyter.adapters.ranking import words
from lazyboy_jupyter.adapters.sources.chunks import chunks_of
from lazyboy_jupyter.adapters.sources.documents import Document, Hit
from lazyboy_jupyter.adapters.sources.fts_query import name_term, parse_query, title_key
from lazyboy_jupyter.adapters.sources.fts_search import search
from lazyboy_jupyter.adapters.sources.hints import NO_HINTS, Hints

_SCHEMA_VERSION = "5"
_BUSY_MS = 10_000

# Terms come from our own tokeniser, joined by blanks; `ascii` with these extra token characters
# passes each of them through unchanged (all characters beyond ASCII are token characters there).
_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE documents(
  id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, title TEXT NOT NULL, title_key TEXT NOT NULL,
  text TEXT NOT NULL, stamp TEXT NOT NULL, problem TEXT NOT NULL);
CREATE INDEX documents_title_key ON documents(title_key);
CREATE TABLE chunks(
  id INTEGER PRIMARY KEY, document INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL);
CREATE INDEX chunks_document ON chunks(document);
CREATE VIRTUAL TABLE terms USING fts5(
  title, headings, body, parts, hints, tokenize = "ascii tokenchars '._'");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(terms, 'row');
"""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a `sync` did, in documents."""

    added: int
    changed: int
    removed: int
    kept: int


class FtsIndex:
    """A full-text index in one file. Safe to use from several threads and processes at once."""

    __slots__ = ("_hints", "_key", "_path")

    def __init__(self, path: Path, key: str = "", hints: Hints = NO_HINTS) -> None:
        """Remember the file; `key` names what the corpus depends on (interpreter, root folder).

        `hints` are more words to find places by. They are searched only, never shown.
        """
        self._path = path
        self._hints = hints
        self._key = f"{_SCHEMA_VERSION}|{words.FINGERPRINT}|{_digest(hints)}|{key}"

    def is_current(self) -> bool:
        """Say whether a finished build of this key is there. Reads only."""
        try:
            with self._reader() as db:
                return db is not None
        except sqlite3.Error:
            return False

    def stamps(self) -> dict[str, str]:
        """Return url → stamp of the indexed documents, empty without a usable index. Reads only."""
        try:
            with self._reader() as db:
                return {} if db is None else dict(db.execute("SELECT url, stamp FROM documents"))
        except sqlite3.Error:
            return {}

    def sync(self, documents: Iterable[Document], kept: Iterable[str] = ()) -> SyncReport:
        """Make the index hold exactly `documents` and the already indexed urls in `kept`.

        Documents whose stamp is unchanged are skipped, all others of the index are removed.
        One transaction; raises `sqlite3.Error` or `OSError` with the older state intact. A file
        that is no database is replaced; one found damaged halfway is removed before the error.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._discard_if_unreadable()
        try:
            return self._sync(documents, kept)
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                self.discard()
            raise

    def search(self, query: str, limit: int = 10) -> list[Hit]:
        """Return the best documents for any text, best first. Reads only."""
        parsed = parse_query(query)
        if not parsed.terms or limit < 1:
            return []
        with self._reader() as db:
            return [] if db is None else search(db, parsed, limit, self._hints)

    def read(self, url: str) -> Document | None:
        """Return the document of a url. Reads only."""
        with self._reader() as db:
            if db is None:
                return None
            row = db.execute(
                "SELECT url, title, text, stamp, problem FROM documents WHERE url = ?", (url,)
            ).fetchone()
        return Document(*row) if row else None

    def _sync(self, documents: Iterable[Document], kept: Iterable[str]) -> SyncReport:
        with closing(sqlite3.connect(self._path, timeout=_BUSY_MS / 1000)) as db:
            db.isolation_level = None
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("BEGIN IMMEDIATE")
            try:
                _ensure_schema(db, self._key)
                report = _apply(db, documents, frozenset(kept), self._hints)
                db.execute("INSERT OR REPLACE INTO meta VALUES ('key', ?)", (self._key,))
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            return report

    def _discard_if_unreadable(self) -> None:
        try:
            with closing(sqlite3.connect(self._path, timeout=_BUSY_MS / 1000)) as db:
                db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self.discard()

    def discard(self) -> None:
        """Remove the file; the next `sync` builds it anew."""
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._path}{suffix}").unlink(missing_ok=True)

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection | None]:
        """Yield a read-only connection, or None when there is no finished build of this key."""
        if not self._path.is_file():
            yield None
            return
        uri = self._path.absolute().as_uri() + "?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_MS / 1000)) as db:
            yield db if _stored_key(db) == self._key else None


def _is_missing(error: sqlite3.OperationalError) -> bool:
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """ "file is not a database" and "disk image is malformed": a cache is simply rebuilt."""
    return getattr(error, "sqlite_errorcode", None) in (
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CORRUPT,
    )


def _digest(hints: Hints) -> str:
    return hashlib.sha256(repr(hints).encode()).hexdigest()[:12]


def _stored_key(db: sqlite3.Connection) -> str | None:
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'key'").fetchone()
    except sqlite3.DatabaseError as error:
        if _is_damage(error) or (
            isinstance(error, sqlite3.OperationalError) and _is_missing(error)
        ):
            return None  # no table yet: the first build has not been committed
        raise
    return str(row[0]) if row else None


def _ensure_schema(db: sqlite3.Connection, key: str) -> None:
    """Start from nothing unless the file was finished under the same key."""
    if _stored_key(db) == key:
        return
    for table in ("vocabulary", "terms", "chunks", "documents", "meta"):
        db.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _SCHEMA.split(";"):
        if statement.strip():
            db.execute(statement)


def _apply(
    db: sqlite3.Connection,
    documents: Iterable[Document],
    kept: frozenset[str],
    hints: Hints,
) -> SyncReport:
    known = {
        url: (number, stamp)
        for number, url, stamp in db.execute("SELECT id, url, stamp FROM documents")
    }
    seen: set[str] = set()
    added = changed = 0
    for document in documents:
        if document.url in seen:
            continue
        seen.add(document.url)
        older = known.get(document.url)
        if older is not None and older[1] == document.stamp:
            continue
        if older is not None:
            _remove(db, older[0])
        added, changed = added + (older is None), changed + (older is not None)
        _insert(db, document, hints)
    gone = [number for url, (number, _) in known.items() if url not in seen and url not in kept]
    for number in gone:
        _remove(db, number)
    return SyncReport(added, changed, len(gone), len(known) - len(gone) - changed)


def _insert(db: sqlite3.Connection, document: Document, hints: Hints) -> None:
    title, text = _storable(document.title), _storable(document.text)
    problem = _storable(document.problem)
    number = db.execute(
        "INSERT INTO documents(url, title, title_key, text, stamp, problem)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (document.url, title, "" if problem else title_key(title), text, document.stamp, problem),
    ).lastrowid
    if problem:
        return
    title_terms, own = _all_terms(title), hints.on(document.url, text)
    for chunk in chunks_of(text):
        rowid = db.execute(
            "INSERT INTO chunks(document, start, stop) VALUES (?, ?, ?)",
            (number, chunk.start, chunk.end),
        ).lastrowid
        piece = text[chunk.start : chunk.end]
        wanted = [own.of_whole] if chunk.start == 0 else []
        wanted += [own.under(heading) for heading in chunk.headings]
        wanted.append(own.within(chunk.start, chunk.end))
        db.execute(
            "INSERT INTO terms(rowid, title, headings, body, parts, hints)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                rowid,
                title_terms,
                " ".join([_all_terms(" . ".join(chunk.headings)), *map(name_term, chunk.headings)]),
                *map(" ".join, _split_terms(piece)),
                _all_terms(" ".join(wanted)),
            ),
        )


def _all_terms(text: str) -> str:
    return " ".join(term for word in words.words(text) for term in (*word.terms, *word.parts))


def _split_terms(text: str) -> tuple[list[str], list[str]]:
    whole: list[str] = []
    parts: list[str] = []
    for word in words.words(text):
        whole.extend(word.terms)
        parts.extend(word.parts)
    return whole, parts


def _storable(text: str) -> str:
    """Lone surrogates (from broken file names or escapes) cannot be stored as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _remove(db: sqlite3.Connection, number: int) -> None:
    db.execute(
        "DELETE FROM terms WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)", (number,)
    )
    db.execute("DELETE FROM chunks WHERE document = ?", (number,))
    db.execute("DELETE FROM documents WHERE id = ?", (number,))
