"""Owns what is run inside a page: waiting for its text, and reading it. It changes nothing there.

All of it runs in a world of its own, which the page's scripts cannot reach.
"""

import json

MAX_HTML = 5_000_000
MAX_TEXT = 2_000_000

_QUIET = """
(quiet, limit) => new Promise(resolve => {
  let timer;
  const observer = new MutationObserver(() => { clearTimeout(timer); arm(); });
  const end = () => { observer.disconnect(); clearTimeout(timer); clearTimeout(last); resolve(); };
  const arm = () => { timer = setTimeout(end, quiet); };
  const last = setTimeout(end, limit);
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  arm();
})
"""

_LOOK = """
() => {
  const refresh = document.querySelector("meta[http-equiv=refresh i]");
  const delay = refresh ? parseFloat(refresh.content) : NaN;
  // What is shown costs a layout to know, and only a short page is judged by it.
  const all = document.body ? document.body.textContent.length : 0;
  const text = all && all < 100000 ? document.body.innerText : "";
  return {
    refresh: Number.isNaN(delay) ? null : delay,
    start: (document.title + "\\n" + text).slice(0, 2000),
    length: all < 100000 ? text.length : all,
    scripts: document.scripts.length,
    frames: window.frames.length,
  };
}
"""

# Elements whose content is no text of the page: <noscript> holds what is meant for others.
_READ = """
(maxHtml, maxText) => {
  const DROPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "LINK", "CANVAS", "SVG",
    "OBJECT", "EMBED", "VIDEO", "AUDIO", "PICTURE"]);
  const VOID = new Set(["AREA", "BASE", "BR", "COL", "HR", "IMG", "INPUT", "META", "SOURCE",
    "TRACK", "WBR"]);
  const NOISE = /^(on|data-|style$|srcset$|sizes$|srcdoc$)/;
  const NAME = /^[a-z][a-z0-9-]*$/;
  const escape = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;")
    .replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  const out = [];
  const more = [];
  let length = 0;
  let isCut = false;
  const put = text => { out.push(text); length += text.length; };
  // What there is room for, with no half of a character at its end.
  const fitting = text => {
    const room = Math.max(maxHtml - length, 0);
    if (text.length <= room) return text;
    isCut = true;
    return text.slice(0, room).replace(/[\\ud800-\\udbff]$/, "");
  };

  const attributes = element => {
    let text = "";
    for (const { name, value } of element.attributes) {
      if (NAME.test(name.replace(/[:_]/g, "-")) && !NOISE.test(name) && name !== "hidden") {
        text += ` ${name}="${escape(value.slice(0, 2000))}"`;
      }
    }
    return text;
  };
  const isShown = element => element.checkVisibility({ visibilityProperty: true })
    || getComputedStyle(element).display === "contents"
    || getComputedStyle(element).visibility === "hidden" && element.children.length > 0;
  const inner = element => {
    if (element.tagName === "IFRAME" || element.tagName === "FRAME") {
      let inside = null;
      try { inside = element.contentDocument; } catch { /* another origin's */ }
      if (!inside || !inside.body) return [];
      more.push(inside.body.innerText);
      return [...inside.body.childNodes];
    }
    if (element.shadowRoot) {
      more.push([...element.shadowRoot.children].map(one => one.innerText || "").join("\\n"));
      return [...element.shadowRoot.childNodes];
    }
    if (element.tagName === "SLOT" && element.getRootNode() instanceof ShadowRoot) {
      const assigned = element.assignedNodes();
      if (assigned.length) return assigned;
    }
    return [...element.childNodes];
  };

  // A list of what is still to be written, since pages nest deeper than calls may.
  const waiting = [[document.documentElement, false]];
  while (waiting.length && length < maxHtml) {
    const [node, isHidden] = waiting.pop();
    if (typeof node === "string") { put(node); continue; }
    if (node.nodeType === Node.TEXT_NODE) {
      put(fitting(escape(fitting(node.data))).replace(/&[a-z]*$/, ""));
      continue;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const upper = node.tagName.toUpperCase();
    if (upper === "SCRIPT" && node.type === "application/ld+json") {
      const data = node.textContent.replace(/<\\//g, "<\\\\/");
      // Half of it would be no JSON.
      if (fitting(data) === data) put(`<script type="application/ld+json">${data}</script>`);
      continue;
    }
    if (DROPPED.has(upper)) continue;
    let name = node.localName;
    if (!NAME.test(name)) name = "span";
    if (node.shadowRoot || name === "iframe" || name === "frame") name = "div";
    const hides = !isHidden && upper !== "HEAD" && !node.closest("head") && !isShown(node);
    put(`<${name}${attributes(node)}${hides ? " hidden" : ""}>`);
    if (VOID.has(upper)) continue;
    waiting.push([`</${name}>`, false]);
    for (const child of inner(node).reverse()) waiting.push([child, isHidden || hides]);
  }
  while (waiting.length) {
    const [rest] = waiting.pop();
    if (typeof rest === "string") out.push(rest);
  }
  const seen = [document.body ? document.body.innerText : "", ...more].join("\\n");
  return {
    title: (document.title || "").slice(0, 500),
    url: document.URL,
    html: "<!doctype html>" + out.join(""),
    text: seen.slice(0, maxText),
    truncated: isCut || length >= maxHtml || seen.length > maxText,
  };
}
"""


def quiet(quiet_ms: int, limit_ms: int) -> str:
    """An expression that settles when the text has not changed for `quiet_ms`, or at the limit."""
    return f"({_QUIET})({quiet_ms}, {limit_ms})"


def look() -> str:
    """An expression that says what the page seems to be about to do."""
    return f"({_LOOK})()"


def read() -> str:
    """An expression for the page: `title`, `url`, `html`, `text`, `truncated`."""
    return f"({_READ})({json.dumps(MAX_HTML)}, {json.dumps(MAX_TEXT)})"
