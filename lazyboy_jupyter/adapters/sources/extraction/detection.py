"""Owns guessing the charset of bytes that declare none and are not UTF-8; decodes no page.

charset-normalizer tells scripts apart. Among the charsets of Latin letters it errs on short texts,
so there the alphabets decide: the right reading writes the letters of one language.
"""

from __future__ import annotations

import re

from charset_normalizer import from_bytes

_CANDIDATES = (
    "gb18030 big5 cp932 euc_jp cp949 cp1250 cp1251 koi8_r koi8_u cp1252 cp1253 cp1254 cp1255 "
    "cp1256 cp1257 cp874"
).split()
# No more than this is markup: `[` or `|` may be half of a character in Big5 or Shift_JIS.
_MARKUP = re.compile(
    rb"<(script|style)\b.*?</\1\s*>|<[a-zA-Z/!][^<>]{0,2000}>|&#?\w{1,10};|\s+",
    re.IGNORECASE | re.DOTALL,
)
_READ = 300_000
_SAMPLE = 6_000
_LATIN_SHARE = 0.4
"""In words of Latin script fewer letters than this are beyond ASCII; elsewhere nearly all are."""
_FEW = 8
_ENOUGH = 40
_OTHERWISE = "cp1252"

# Of each language the letters that ASCII lacks.
_ALPHABETS = {
    "cp1252": (
        "àâæçéèêëîïôùûüÿœ", "äöüß", "áéíóúñüªº", "áâãàçéêíóôõúü", "åäöé", "æøåé", "àèéìòùî",
        "ëéïöüè", "áðéíóúýþæö", "àçéèíïóòúü",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"),
    "cp1254": ("çğıöşü",),
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž"),
}  # fmt: skip
_READINGS = {**{codec: codec for codec in _ALPHABETS}, "iso8859_2": "cp1250"}
_HEBREW = frozenset(range(0xE0, 0xFB))


def detected(data: bytes) -> str:
    """Return the name of the codec that reads `data` best. Looks at a sample; never raises."""
    if b"\x1b$B" in data or b"\x1b$@" in data or b"\x1b(J" in data:
        return "iso2022_jp"
    sample = _sample(data)
    high = [byte for byte in sample if byte > 127]
    if not high:
        return _OTHERWISE
    if len(high) < max(_FEW, _LATIN_SHARE * len(sample)):
        return _latin(high, _OTHERWISE)
    if _is_hebrew(high):
        return "cp1255"
    try:
        best = from_bytes(sample, cp_isolation=_CANDIDATES).best()
    except (ValueError, LookupError, TypeError, OverflowError):
        best = None
    codec = best.encoding if best is not None else _OTHERWISE
    return _latin(high, codec) if codec in _ALPHABETS else codec


def _is_hebrew(high: list[int]) -> bool:
    """Whether all letters are those of Hebrew, which has no capitals; as Russian they would be
    small letters without a single ы, ь or я."""
    letters = [byte for byte in high if byte >= 0xC0]
    if len(letters) <= _ENOUGH or {0xFB, 0xFC, 0xFF}.intersection(letters):
        return False
    return sum(byte in _HEBREW for byte in letters) >= 0.97 * len(letters)


def _sample(data: bytes) -> bytes:
    """The words with letters beyond ASCII, and those beside them, without markup."""
    words = _MARKUP.sub(b" ", data[:_READ]).split(b" ")
    kept: list[bytes] = []
    length = 0
    for word in words:
        if word and not word.isascii():
            kept.append(word)
            length += len(word)
            if length > _SAMPLE:
                break
    return b" ".join(kept)


def _latin(high: list[int], guess: str) -> str:
    """The charset whose reading of the letters fits one language best; else the guess."""
    letters = bytes(byte for byte in high if byte >= 0x80)
    best, score = guess, 0.7
    for codec, alphabets in _READINGS.items():
        text = [char for char in letters.decode(codec, "replace").lower() if _tells(char)]
        if not text:
            continue
        for alphabet in _ALPHABETS[alphabets]:
            fits = sum(char in alphabet for char in text) / len(text)
            if fits > score + 0.001:
                best, score = codec, fits
    return best


def _tells(char: str) -> bool:
    """Quotation marks, dashes and signs stand at the same place in all of them."""
    return char not in "‘’‚“”„–—…•€™«»°§©® \u00a0\u00ad·´¨‹›%"
