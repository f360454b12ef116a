"""The pages that these tests read, written for them in the way sites of each kind write theirs."""

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "data" / "extraction"
PARAGRAPH = (
    "The company measured how long people take over such a puzzle, and found that it costs the "
    "world five hundred years every day. It looks at how a pointer moves instead of asking. "
)


def stored(name: str) -> str:
    return (FOLDER / f"{name}.html").read_text(encoding="utf-8")


def stored_names(prefix: str) -> list[str]:
    return sorted(path.stem for path in FOLDER.glob(f"{prefix}*.html"))


def page(title: str, body: str, head: str = "") -> str:
    return (
        f"<html><head><title>{title}</title>{head}</head>"
        f"<body><main><h1>{title}</h1>{body}</main></body></html>"
    )
