"""Owns turning feeds and other XML into readable text; resolves no entity and loads nothing."""

from __future__ import annotations

import re

from lxml import etree

from .characters import without_controls

_ENTRIES = 1_000
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,300}\?>")
_DEEP = 60


def parse_xml(text: str) -> etree._Element | None:
    """Return the root of an XML text, mended where it is broken, or None. Never raises."""
    data = _DECLARATION.sub("", without_controls(text)).encode("utf-8", "replace")
    parser = etree.XMLParser(
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        strip_cdata=True,
    )
    try:
        return etree.fromstring(data, parser)
    except (etree.LxmlError, ValueError):
        return None


def feed_to_text(text: str, url: str) -> tuple[str, str]:
    """Return title and Markdown of an RSS or Atom feed: a heading, date and text for each entry."""
    from .html import html_to_text
    from .links import Links

    root = parse_xml(text)
    if root is None:
        return "", ""
    links = Links(url)
    title = ""
    entries: list[str] = []
    for one in root.iter():
        name = _name(one)
        if name in ("channel", "feed") and not title:
            title = _child_text(one, "title")
        if name not in ("item", "entry") or len(entries) >= _ENTRIES:
            continue
        heading = " ".join(_strip_markup(_child_text(one, "title")).split()) or "(no title)"
        target = links.target(_entry_link(one))
        date = _child_text(one, "pubdate", "published", "updated", "date")
        body = _child_text(one, "encoded", "content", "description", "summary")
        if "<" in body:
            body = html_to_text(body, url)[1]
        lines = [f"## [{heading}]({target})" if target else f"## {heading}", date, body.strip()]
        entries.append("\n\n".join(line for line in lines if line))
    return " ".join(title.split()), "\n\n".join(entries)


def xml_to_text(text: str) -> tuple[str, str]:
    """Return title and text of any other XML: its texts under the names of their elements."""
    root = parse_xml(text)
    if root is None:
        return "", text
    lines: list[str] = []
    depth = 0
    for event, one in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            depth -= 1
            continue
        words = " ".join((one.text or "").split())
        facts = " ".join(f'{_plain(key)}="{value}"' for key, value in one.attrib.items())
        name = f"{_name(one, lower=False)} ({facts})" if facts else _name(one, lower=False)
        lines.append("  " * min(depth, _DEEP) + (f"{name}: {words}" if words else name))
        if tail := " ".join((one.tail or "").split()):
            lines.append("  " * min(depth, _DEEP) + tail)
        depth += 1
    titles = [one for one in root.iter() if _name(one) == "title" and one.text]
    return (" ".join(titles[0].text.split()) if titles else ""), "\n".join(lines)


def _name(element: etree._Element, *, lower: bool = True) -> str:
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    return _plain(tag).lower() if lower else _plain(tag)


def _plain(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2]


def _child_text(element: etree._Element, *names: str) -> str:
    """The text of the first child of the first of these names that has any."""
    for name in names:
        for child in element:
            if _name(child) == name and (text := _inner(child).strip()):
                return text
    return ""


def _inner(element: etree._Element) -> str:
    """Text, or markup where an Atom entry holds XHTML."""
    if len(element) == 0:
        return str(element.text or "")
    return str(etree.tostring(element, encoding="unicode", with_tail=False))


def _entry_link(entry: etree._Element) -> str:
    found = ""
    for child in entry:
        if _name(child) == "link":
            target = (child.get("href") or child.text or "").strip()
            if target and child.get("rel", "alternate") == "alternate":
                return target
            found = found or target
    return found


def _strip_markup(text: str) -> str:
    if "<" not in text and "&" not in text:
        return text
    from .html import read_html

    page = read_html(text, "")
    return page.everything if page else text
