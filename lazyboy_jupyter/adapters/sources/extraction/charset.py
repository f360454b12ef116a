"""Owns turning bytes into text: byte order mark, then header, then the page's own word, then UTF-8
if it is that, then detection (FIELD_CASES P7); knows nothing of what the text says.

Labels are read as the WHATWG Encoding Standard reads them: pages that say `iso-8859-1` were
written as windows-1252, those that say `gb2312` as gb18030. A declaration that the bytes
contradict is not followed.
"""

from __future__ import annotations

import codecs
import re

from .detection import detected

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LABELS = {
    **dict.fromkeys(
        "ascii us-ascii ansi_x3.4-1968 cp819 ibm819 iso-8859-1 iso8859-1 iso88591 iso_8859-1 l1 "
        "latin1 latin-1 x-cp1252 iso-ir-100 csisolatin1 windows-1252 cp1252".split(),
        "cp1252",
    ),
    **dict.fromkeys(
        "gb2312 gb_2312 gb_2312-80 gbk x-gbk chinese csgb2312 csiso58gb231280 iso-ir-58 gb18030 "
        "cp936 hz-gb-2312 x-euc-cn euc-cn".split(),
        "gb18030",
    ),
    **dict.fromkeys("big5 big5-hkscs cn-big5 csbig5 x-x-big5".split(), "big5hkscs"),
    **dict.fromkeys(
        "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis cp932".split(),
        "cp932",
    ),
    **dict.fromkeys("euc-jp x-euc-jp eucjp cseucpkdfmtjapanese".split(), "euc_jp"),
    **dict.fromkeys(
        "euc-kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 cp949 "
        "iso-ir-149 cseuckr".split(),
        "cp949",
    ),
    **dict.fromkeys(
        "iso-8859-9 iso8859-9 latin5 l5 windows-1254 x-cp1254 csisolatin5".split(), "cp1254"
    ),
    **dict.fromkeys(
        "tis-620 tis620 iso-8859-11 iso8859-11 windows-874 dos-874 x-windows-874".split(), "cp874"
    ),
    **dict.fromkeys("koi8-r koi koi8 koi8_r cskoi8r".split(), "koi8_r"),
    **dict.fromkeys("koi8-u koi8-ru".split(), "koi8_u"),
    **dict.fromkeys(
        "utf8 utf-8 unicode-1-1-utf-8 x-unicode20utf8 unicode11utf8 unicode20utf8 utf8mb4".split(),
        "utf-8",
    ),
    **dict.fromkeys("utf-16 utf-16le unicode ucs-2 iso-10646-ucs-2 csunicode".split(), "utf-16-le"),
    "utf-16be": "utf-16-be",
    "macintosh": "mac_roman",
    "mac": "mac_roman",
    "x-mac-roman": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "logical": "iso8859_8",
    "visual": "iso8859_8",
}
_ANY_CODEC = re.compile(
    r"(?:windows-?|x-cp|cp)(125[0-8])|(?:csisolatin|iso[-_]?8859[-_]?)(\d{1,2})"
)
_MULTIBYTE = frozenset(("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949"))
_NO_PAGE = frozenset(
    ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf_7")
)
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_IN_META = re.compile(rb"<meta\s[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_IN_XML = re.compile(rb"\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})[\"']")
_IN_CSS_OR_MARKUP = 4_096
_SEQUENCE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")
_WRONG_SHARE = 0.02


def decode(data: bytes, content_type: str) -> tuple[str, str]:
    """Return the text of `data` and the charset it was read as, by the name of Python's codec.

    `content_type` is the header as it came, or empty. Bytes that are no characters become U+FFFD.
    Never raises.
    """
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace"), codec
    declared = codec_of(_first(_IN_HEADER, content_type)) or _declared_inside(data)
    codec = _believed(data, declared) if declared else _undeclared(data)
    return data.decode(codec, "replace"), codec


def codec_of(label: str) -> str:
    """Return the codec that a charset's label means on the web, or nothing for an unknown one."""
    label = label.strip().lower().strip("\"'")
    if known := _LABELS.get(label):
        return known
    if found := _ANY_CODEC.fullmatch(label):
        windows, iso = found.groups()
        name = f"cp{windows}" if windows else f"iso8859_{iso}"
    else:
        name = label
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    return info.name if getattr(info, "_is_text_encoding", True) and _decodes(info.name) else ""


def _decodes(codec: str) -> bool:
    """Whether the codec reads bytes as a page may hold them; `idna` or `unicode_escape` do not."""
    if codec.replace("-", "_") in _NO_PAGE:
        return False
    try:
        return isinstance(b"a \xff".decode(codec, "replace"), str)
    except (ValueError, LookupError):
        return False


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group(1) if found else ""


def _declared_inside(data: bytes) -> str:
    """What `<meta>` or the XML declaration says; it was read as ASCII, so it is not UTF-16."""
    head = data[:_IN_CSS_OR_MARKUP]
    found = _IN_XML.search(head) or _IN_META.search(head)
    codec = codec_of(found.group(1).decode("ascii", "replace")) if found else ""
    return "utf-8" if codec.startswith(("utf-16", "utf-32")) else codec


def _believed(data: bytes, codec: str) -> str:
    """The declared codec, or the right one where the bytes clearly contradict it."""
    if codec.startswith(("utf-16", "utf-32")):
        return codec if b"\x00" in data[:400] else _undeclared(data)
    if codec == "utf-8":
        return codec if _is_utf8(data) or _mostly_utf8(data) else _undeclared(data)
    if data.isascii():
        return codec
    if _is_utf8(data):
        found = len(_SEQUENCE.findall(data[:200_000]))
        if found >= (4 if codec in _MULTIBYTE else 1):
            return "utf-8"
    if codec in _MULTIBYTE and _wrong(data, codec) > _WRONG_SHARE:
        return _undeclared(data)
    return codec


def _undeclared(data: bytes) -> str:
    if data.isascii() and b"\x1b" not in data:
        return "utf-16-le" if _zeros(data) == 1 else "utf-16-be" if _zeros(data) == 0 else "utf-8"
    if (zeros := _zeros(data)) >= 0:
        return ("utf-16-be", "utf-16-le")[zeros]
    if _is_utf8(data) and b"\x1b$" not in data:
        return "utf-8"
    if _mostly_utf8(data):
        return "utf-8"
    return detected(data)


def _zeros(data: bytes) -> int:
    """0 or 1 when nearly every other byte, from there on, is NUL: UTF-16 without a mark."""
    head = data[:2_000]
    if head.count(0) * 3 < len(head):
        return -1
    even, odd = head[::2].count(0), head[1::2].count(0)
    return 1 if odd > 5 * even + 2 else 0 if even > 5 * odd + 2 else -1


def _is_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8; the last character may have been cut."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(data) - 3 and error.reason == "unexpected end of data"
    return True


def _mostly_utf8(data: bytes) -> bool:
    """Whether a few broken bytes stand in what is UTF-8 by all others."""
    high = len(data) - len(data.translate(None, bytes(range(128, 256))))
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    return high > 8 and broken * 8 <= high


def _wrong(data: bytes, codec: str) -> float:
    sample = data[:100_000]
    high = len(sample) - len(sample.translate(None, bytes(range(128, 256))))
    return sample.decode(codec, "replace").count("\ufffd") / high if high else 0.0
