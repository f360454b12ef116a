"""What a cell shows of research: the one place that knows the markup of our cards.

A card is static HTML (`.lzb`) or the widget (`.lzu`); a test asks it in the words of a person.
"""

import re

from playwright.sync_api import Locator, expect

SECOND = 1_000
PATIENCE = 60 * SECOND
CARD = ".lzu:visible, .lzb:visible"  # the twin is there too, hidden, while the widget lives
HEADLINE = ".lzu-phase, .lzb-phase"
METERS = ".lzu-meters, .lzb-meters"
GUIDE = ".lzu-guide, .lzb-body"
SIDE = ".lzu-side"


class Card:
    """The first card of a cell's output."""

    def __init__(self, output: Locator) -> None:
        self.root = output.locator(CARD).first

    @property
    def headline(self) -> Locator:
        """The phase in words, with its time."""
        return self.root.locator(HEADLINE).first

    @property
    def meters(self) -> Locator:
        """Time, searches and pages, each as "1 of 6"."""
        return self.root.locator(METERS).first

    @property
    def guide(self) -> Locator:
        """The guide, with what was said on the way to it."""
        return self.root.locator(GUIDE).first

    def says(self, words: str, patience: float = PATIENCE) -> None:
        """Wait until the words stand in its headline; `patience`: in milliseconds."""
        expect(self.headline).to_contain_text(words, timeout=patience)

    def shows(self, words: str) -> None:
        """Wait until the words stand anywhere in it."""
        expect(self.root).to_contain_text(words, timeout=PATIENCE)

    def marks(self, mark: str) -> None:
        """Wait until a citation says its mark, such as "quote found", to whoever sees or hears."""
        expect(self._cited(mark)).to_be_visible(timeout=PATIENCE)

    def open_quote(self, mark: str) -> None:
        """Click the first citation with that mark: its quote opens in its place on the page."""
        self._cited(mark).click(timeout=5 * SECOND)

    def _cited(self, mark: str) -> Locator:
        button = self.root.get_by_role("button", name=re.compile(f"^S\\d+, {mark}:"))
        return button.or_(self.root.locator(".lzb-tag", has_text=mark)).first

    def has_met(self, label: str, words: str) -> None:
        """Wait until a meter, such as "Pages", shows the words, such as "1 of 6"."""
        meter = self.meters.locator("> *").filter(has_text=label)
        expect(meter).to_contain_text(words, timeout=PATIENCE)

    def spent(self, label: str) -> str:
        """What a meter shows now."""
        return self.meters.locator("> *").filter(has_text=label).inner_text()

    def changes_from(self, label: str, words: str) -> None:
        """Wait until a meter shows something else."""
        meter = self.meters.locator("> *").filter(has_text=label)
        expect(meter).not_to_have_text(words, timeout=PATIENCE, use_inner_text=True)

    def stop(self) -> None:
        """Click Stop."""
        self.root.get_by_role("button", name="Stop", exact=True).first.click(timeout=5 * SECOND)

    def ask(self, question: str) -> None:
        """Ask a side question, in the card."""
        if not self._asking.is_visible():
            self.root.get_by_role("button", name=re.compile("^Ask")).first.click(timeout=5 * SECOND)
        self._asking.fill(question, timeout=5 * SECOND)
        self._asking.press("Enter")

    def answers(self, words: str) -> None:
        """Wait until the words stand among the questions asked on the side."""
        expect(self.root.locator(SIDE)).to_contain_text(words, timeout=PATIENCE)

    def faint_texts(self, least: float) -> list[str]:
        """The texts whose contrast with what is behind them is below a ratio, each with its own."""
        return [str(one) for one in self.root.evaluate(_FAINT, least)]

    def contains_what_it_shows(self) -> bool:
        """Whether nothing of it is wider than the card itself."""
        return bool(self.root.evaluate("root => root.scrollWidth <= root.clientWidth"))

    @property
    def _asking(self) -> Locator:
        return self.root.get_by_role("textbox", name="Your side question")


# Colours as WCAG 2.2 measures them; what is behind a text is the first ancestor's that is not
# transparent, mixed with what is behind that one.
_FAINT = """(root, least) => {
  const parse = text => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return text.startsWith('color(') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
  const behind = element => {
    if (!element) return [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, behind(element.parentElement));
  };
  const share = v => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * share(r) + 0.7152 * share(g) + 0.0722 * share(b);
  const opacity = element => element
    ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || element.closest('style, [hidden]') || !element.getClientRects().length) continue;
    const back = behind(element);
    const colour = parse(getComputedStyle(element).color);
    colour[3] *= opacity(element);
    const [high, low] = [light(over(colour, back)), light(back)].sort((x, y) => y - x);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < least) found.push(`${ratio.toFixed(2)} ${element.className}: ${text.slice(0, 40)}`);
  }
  return found;
}"""
