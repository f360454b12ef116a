"""Owns the SQLite FTS5 side file of a corpus: build, search, read; never decides what is indexed.

The file is a cache: anything wrong with it (old schema, other tokeniser, damage) is answered by
building it again. One `sync` is one transaction, so an interrupted build leaves the older state or
an empty file, never half of one. Readers open the file read-only; with WAL they go on reading the
older state while a writer works.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from lazyboy_jupyter.adapters.ranking import words
from lazyboy_jupyter.adapters.ranking.synonyms import WEIGHT as RELATED
from lazyboy_jupyter.adapters.sources.chunks import chunks_of
from lazyboy_jupyter.adapters.sources.documents import Document, Hit
from lazyboy_jupyter.adapters.sources.fts_query import SearchQuery, parse_query, title_key
from lazyboy_jupyter.adapters.sources.snippets import best_window

_SCHEMA_VERSION = "2"
_BUSY_MS = 10_000
# Title, headings, text, pieces of identifiers: a word in a title says more than one in the text.
_WEIGHTS = "2.0, 2.0, 1.0, 0.4"
_CHUNKS = 400

# Terms come from our own tokeniser, joined by blanks; `ascii` with these extra token characters
# passes each of them through unchanged (all characters beyond ASCII are token characters there).
_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE documents(
  id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, title TEXT NOT NULL, title_key TEXT NOT NULL,
  text TEXT NOT NULL, stamp TEXT NOT NULL);
CREATE INDEX documents_title_key ON documents(title_key);
CREATE TABLE chunks(
  id INTEGER PRIMARY KEY, document INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL);
CREATE INDEX chunks_document ON chunks(document);
CREATE VIRTUAL TABLE terms USING fts5(
  title, headings, body, parts, tokenize = "ascii tokenchars '._'");
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

    __slots__ = ("_key", "_path")

    def __init__(self, path: Path, key: str = "") -> None:
        """Remember the file; `key` names what the corpus depends on (interpreter, root folder)."""
        self._path = path
        self._key = f"{_SCHEMA_VERSION}|{words.FINGERPRINT}|{key}"

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
        One transaction; raises `sqlite3.Error` or `OSError` with the older state intact.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._sync(documents, kept)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError | sqlite3.IntegrityError):
                raise
            self._discard()  # "file is not a database", "malformed": a cache is simply rebuilt
            raise

    def search(self, query: str, limit: int = 10) -> list[Hit]:
        """Return the best documents for any text, best first. Reads only."""
        parsed = parse_query(query)
        if not parsed.terms or limit < 1:
            return []
        with self._reader() as db:
            return [] if db is None else _search(db, parsed, limit)

    def read(self, url: str) -> Document | None:
        """Return the document of a url. Reads only."""
        with self._reader() as db:
            if db is None:
                return None
            row = db.execute(
                "SELECT url, title, text, stamp FROM documents WHERE url = ?", (url,)
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
                report = _apply(db, documents, frozenset(kept))
                db.execute("INSERT OR REPLACE INTO meta VALUES ('key', ?)", (self._key,))
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            return report

    def _discard(self) -> None:
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


def _stored_key(db: sqlite3.Connection) -> str | None:
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'key'").fetchone()
    except sqlite3.OperationalError:  # no table yet: the first build has not been committed
        return None
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
    db: sqlite3.Connection, documents: Iterable[Document], kept: frozenset[str]
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
        _insert(db, document)
    gone = [number for url, (number, _) in known.items() if url not in seen and url not in kept]
    for number in gone:
        _remove(db, number)
    return SyncReport(added, changed, len(gone), len(known) - len(gone) - changed)


def _insert(db: sqlite3.Connection, document: Document) -> None:
    title, text = _storable(document.title), _storable(document.text)
    row = (document.url, title, title_key(title), text, document.stamp)
    number = db.execute(
        "INSERT INTO documents(url, title, title_key, text, stamp) VALUES (?, ?, ?, ?, ?)", row
    ).lastrowid
    title_terms = _all_terms(title)
    for chunk in chunks_of(text):
        rowid = db.execute(
            "INSERT INTO chunks(document, start, stop) VALUES (?, ?, ?)",
            (number, chunk.start, chunk.end),
        ).lastrowid
        piece = text[chunk.start : chunk.end]
        columns = (_all_terms(chunk.headings), *map(" ".join, _split_terms(piece)))
        db.execute(
            "INSERT INTO terms(rowid, title, headings, body, parts) VALUES (?, ?, ?, ?, ?)",
            (rowid, title_terms, *columns),
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


def _search(db: sqlite3.Connection, query: SearchQuery, limit: int) -> list[Hit]:
    """Rank documents by their best chunk; one whose whole title stands in the query gains."""
    scores = _chunk_scores(db, query.match)
    for chunk, score in _chunk_scores(db, query.related_match).items():
        scores[chunk] = scores.get(chunk, 0.0) + RELATED * score
    places = _places(db, scores)
    best: dict[int, tuple[float, int, int]] = {}
    for chunk, score in scores.items():
        number, start, stop = places[chunk]
        if number not in best or score > best[number][0]:
            best[number] = (score, start, stop)
    named = _named(db, query)
    ranked = [(best.get(n, (0.0, 0, 0))[0] + named.get(n, 0.0), n) for n in {*best, *named}]
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    return [_hit(db, query, number, score, best.get(number)) for score, number in ranked[:limit]]


def _chunk_scores(db: sqlite3.Connection, match: str) -> dict[int, float]:
    if not match:
        return {}
    return dict(
        db.execute(
            f"SELECT rowid, -bm25(terms, {_WEIGHTS}) AS score FROM terms WHERE terms MATCH ?"
            " ORDER BY score DESC, rowid LIMIT ?",
            (match, _CHUNKS),
        ).fetchall()
    )


def _places(db: sqlite3.Connection, chunks: Iterable[int]) -> dict[int, tuple[int, int, int]]:
    marks = ",".join(str(int(chunk)) for chunk in chunks)
    rows = db.execute(f"SELECT id, document, start, stop FROM chunks WHERE id IN ({marks})")
    return {chunk: (number, start, stop) for chunk, number, start, stop in rows}


def _named(db: sqlite3.Connection, query: SearchQuery) -> dict[int, float]:
    """Return documents whose whole title stands in the query, with the idf of its terms."""
    found: dict[int, str] = {}
    for at in range(0, len(query.title_keys), 500):
        keys = query.title_keys[at : at + 500]
        marks = ",".join("?" * len(keys))
        found.update(
            db.execute(
                f"SELECT id, title_key FROM documents WHERE title_key IN ({marks}) LIMIT 100", keys
            )
        )
    wanted = {term for key in found.values() for term in key.split()}
    size = db.execute("SELECT count(*) FROM chunks").fetchone()[0]
    idf = {term: _idf(db, term, size) for term in wanted}
    return {number: sum(idf[term] for term in key.split()) for number, key in found.items()}


def _idf(db: sqlite3.Connection, term: str, size: int) -> float:
    row = db.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
    count = row[0] if row else 0
    return max(0.0, math.log((size - count + 0.5) / (count + 0.5)))


def _hit(
    db: sqlite3.Connection,
    query: SearchQuery,
    number: int,
    score: float,
    place: tuple[float, int, int] | None,
) -> Hit:
    url, title, text = db.execute(
        "SELECT url, title, text FROM documents WHERE id = ?", (number,)
    ).fetchone()
    piece = text[place[1] : place[2]] if place else text[:2_000]
    return Hit(url, title, best_window(piece, query.terms, title), round(score, 4))
