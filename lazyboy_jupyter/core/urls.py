"""Owns what makes two addresses the same source (DESIGN §4 "Canonical URL"); it fetches nothing."""

import re
from urllib.parse import SplitResult, quote, unquote, urlsplit

import idna

# RFC 3986 §2.3: percent-encodings of these say nothing that the character itself does not.
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}
_SAFE = "!#$%&'()*+,/:;=?@[]~"
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
# No boundary before the scheme: Chinese and Japanese put none, and no missing space hides an
# address. Their own punctuation ends one; it stands in none unencoded.
_URL_IN_TEXT = re.compile(
    r"(?:https?|ftp|file)://[^\s<>\"'`|\\^{}。、，；：！？（）「」『』【】《》]+"
    r"|(?<![a-z0-9_])pydoc:[\w./-]+",
    re.I,
)
_TRAILING = ".,;:!?)]}*_’”"


def canonical_url(url: str) -> str:
    """Return the canonical form of `url`; two addresses with one form are one source.

    Scheme and host in lower case, host as IDNA, default port and fragment dropped, dot segments
    resolved, percent-encoding normalised, query kept as it is (RFC 3986 §6.2.2). Never raises:
    what is not an address comes back stripped, and then matches only itself.
    """
    text = url.strip()
    if not _SCHEME.match(text):
        return text
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return text
    scheme = parts.scheme.lower()
    if not parts.netloc:
        # `pydoc:topic/with` and the like: no host, the rest is taken literally.
        rest = _normal_percent(text[len(scheme) + 1 :].split("#", 1)[0])
        return f"{scheme}:{rest}"
    path = _remove_dot_segments(_normal_percent(parts.path))
    query = f"?{_normal_percent(parts.query)}" if parts.query or _has_empty_query(text) else ""
    return f"{scheme}://{_authority(parts, scheme, port)}{path or '/'}{query}"


def host_of(url: str) -> str:
    """Return the host of `url` in lower case, with a port that is not the usual one; for display.

    Of a file it is the end of its path, of any other address without a host its scheme.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return ""
    scheme = parts.scheme.lower()
    if scheme == "file":
        return "/".join(unquote(parts.path).rsplit("/", 2)[-2:])
    if not parts.hostname:
        return scheme
    host = parts.hostname.lower()
    return host if port in (None, _DEFAULT_PORTS.get(scheme)) else f"{host}:{port}"


def urls_in_text(text: str) -> list[str]:
    """Return the addresses that stand in running text, without the punctuation that ends them."""
    found = []
    for match in _URL_IN_TEXT.finditer(text):
        url = match.group()
        while url and url[-1] in _TRAILING:
            if url[-1] == ")" and url.count("(") >= url.count(")"):
                break
            url = url[:-1]
        found.append(url)
    return found


def _has_empty_query(text: str) -> bool:
    return text.split("#", 1)[0].endswith("?")


def _authority(parts: SplitResult, scheme: str, port: int | None) -> str:
    host = _ascii_host(parts.hostname or "")
    user = parts.netloc.rpartition("@")[0]
    if ":" in host:
        host = f"[{host}]"
    shown_port = "" if port is None or port == _DEFAULT_PORTS.get(scheme) else f":{port}"
    return f"{user}@{host}{shown_port}" if user else host + shown_port


def _ascii_host(host: str) -> str:
    lowered = host.lower()
    if lowered.isascii():
        return lowered
    try:
        # As browsers do (UTS 46): `straße` and `strasse` are two hosts.
        return idna.encode(lowered, uts46=True).decode("ascii")
    except idna.IDNAError:
        return lowered


def _normal_percent(text: str) -> str:
    """Decode what needs no encoding, upper-case the rest, encode what must not stand bare."""

    def normal(match: re.Match[str]) -> str:
        char = chr(int(match.group()[1:], 16))
        return char if char in _UNRESERVED else match.group().upper()

    return quote(_PERCENT.sub(normal, text), safe=_SAFE, errors="surrogatepass")


def _remove_dot_segments(path: str) -> str:
    """RFC 3986 §5.2.4."""
    if "." not in path:
        return path
    output: list[str] = []
    segments = path.split("/")
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if segment == "..":
            if len(output) > 1:
                output.pop()
            if last:
                output.append("")
        elif segment == ".":
            if last:
                output.append("")
        else:
            output.append(segment)
    return "/".join(output)
