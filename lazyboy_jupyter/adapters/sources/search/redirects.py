"""Owns undoing the redirects through which search engines count clicks; it follows none.

The target stands in the redirect's own address, so nothing is asked for.
"""

import base64
import binascii
import re
from urllib.parse import parse_qs, unquote, urlsplit

_NESTED = 4
_GOOGLE = re.compile(r"(?:www\.)?google(?:\.[a-z]{2,3}){1,2}")
_YAHOO_TARGET = re.compile(r"/RU=([^/]+)(?:/|$)")
_ADVERTISEMENTS = {
    "duckduckgo": ("/y.js",),
    "google": ("/aclk", "/pagead/"),
    "bing": ("/aclick", "/aclk"),
    "yahoo": ("/cbclk",),
}


def direct_link(url: str) -> str | None:
    """Return where `url` leads past search engines' redirects, or None for an advertisement.

    None also for a redirect without a target. Any other address comes back as it is.
    """
    for _ in range(_NESTED):
        try:
            parts = urlsplit(url)
            engine = _engine(parts.hostname or "")
        except ValueError:
            return None
        if parts.path.startswith(_ADVERTISEMENTS.get(engine, ("\0",))):
            return None
        target = _target(engine, parts.path, parts.query)
        if target is None:
            return url
        if not target:
            return None
        url = target
    return None


def _engine(host: str) -> str:
    for name, owner in (("duckduckgo", "duckduckgo.com"), ("bing", "bing.com")):
        if host == owner or host.endswith(f".{owner}"):
            return name
    if host.endswith("search.yahoo.com"):
        return "yahoo"
    return "google" if _GOOGLE.fullmatch(host) else ""


def _target(engine: str, path: str, query: str) -> str | None:
    """Return a redirect's target, empty where it has none; None for what is no redirect."""
    match engine, path.rstrip("/"):
        case "duckduckgo", "/l":
            return _parameter(query, "uddg")
        case "google", "/url":
            return _parameter(query, "q") or _parameter(query, "url")
        case "bing", "/ck/a":
            return _base64_target(_parameter(query, "u"))
        case "yahoo", _:
            found = _YAHOO_TARGET.search(path)
            return unquote(found.group(1)) if found else None
    return None


def _parameter(query: str, name: str) -> str:
    return parse_qs(query).get(name, [""])[0]


def _base64_target(value: str) -> str:
    """Bing: "a1", then the address in base64url without its padding."""
    text = value[2:]
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
