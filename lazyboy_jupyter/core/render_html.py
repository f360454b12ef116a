"""Owns runs and guides as static HTML; all foreign text goes through `sanitise`, nothing loads.

The markup reads well without the style sheet, since many viewers drop it. Colours come from
Jupyter's theme, then from VS Code's, then from the page itself, so that no viewer, light or dark,
shows a box of its own colour.
"""

from collections.abc import Sequence

from .guide import Guide, Source
from .publication import Citation, Claim
from .render_answer import answer_to_html, rests_to_html
from .render_text import (
    NO_SOURCE,
    additions_heading,
    beside_lead,
    dot_of,
    how_to_answer,
    kind_words,
    mark_of,
    short_id,
    shows_quote,
    spent_of,
    state_of,
    tone_of,
    unread_of,
)
from .sanitise import link_html, to_html
from .urls import host_of
from .view import Meter, RunView, clock

_STYLE = """<style>
.lzb{--fg:var(--jp-content-font-color1,var(--vscode-foreground,inherit));
--fg2:var(--jp-content-font-color2,var(--vscode-descriptionForeground,#808080));
--line:var(--jp-border-color2,var(--vscode-widget-border,rgba(128,128,128,.3)));
--bg2:var(--jp-layout-color2,rgba(128,128,128,.08));
--brand:var(--jp-brand-color1,var(--vscode-textLink-foreground,#2563c9));
--ok:var(--jp-success-color1,#2e8b57);--warn:var(--jp-warn-color1,#b7791f);
--bad:var(--jp-error-color1,#c0392b);
border:1px solid var(--line);border-radius:8px;overflow:hidden;max-width:760px;color:var(--fg);
font:13px/1.55 var(--jp-ui-font-family,system-ui,sans-serif);margin:2px 0}
.lzb *{box-sizing:border-box}
.lzb-head{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 10px;padding:10px 14px;
background:var(--bg2);
border-bottom:1px solid var(--line)}
.lzb-dot{flex:none;width:8px;height:8px;border-radius:50%;background:var(--fg2)}
.lzb-dot.live{background:var(--brand);box-shadow:0 0 0 4px rgba(37,99,201,.16)}
.lzb-dot.ok{background:var(--ok)}.lzb-dot.warn{background:var(--warn)}
.lzb-dot.bad{background:var(--bad)}
.lzb-q{flex:1 1 320px;min-width:0;font-weight:600;overflow-wrap:anywhere}
.lzb-phase{color:color-mix(in srgb,var(--fg2) 80%,currentcolor);white-space:nowrap;
font-variant-numeric:tabular-nums}
.lzb-meters{display:grid;grid-template-columns:repeat(3,1fr);gap:14px;padding:10px 14px;
border-bottom:1px solid var(--line)}
.lzb-m{display:flex;justify-content:space-between}
.lzb-m span{color:var(--fg2);font-variant-numeric:tabular-nums}
.lzb-bar{height:4px;border-radius:2px;background:var(--line);margin-top:4px;overflow:hidden}
.lzb-bar i{display:block;height:100%;background:var(--brand)}
.lzb ul.lzb-src{list-style:none;margin:0;padding:5px 0;border-bottom:1px solid var(--line)}
.lzb ul.lzb-src li{display:grid;grid-template-columns:30px minmax(0,1fr) auto 44px;gap:8px;
padding:2px 14px;margin:0;align-items:baseline}
.lzb-src .t{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.lzb-n,.lzb-host,.lzb-ms{color:var(--fg2);font-variant-numeric:tabular-nums}
.lzb-ms{text-align:right}
.lzb-tag{font-size:11px;line-height:16px;border:1px solid currentColor;border-radius:4px;
padding:0 5px;color:var(--fg2);white-space:nowrap}
.lzb-tag.ok{color:color-mix(in srgb,var(--ok) 80%,currentcolor)}
.lzb-tag.warn{color:color-mix(in srgb,var(--warn) 70%,currentcolor)}
.lzb-tag.bad{color:color-mix(in srgb,var(--bad) 85%,currentcolor)}
.lzb-body{padding:12px 14px}
.lzb-body>:first-child{margin-top:0}.lzb-body>:last-child{margin-bottom:0}
.lzb p{margin:0 0 8px;overflow-wrap:anywhere}
.lzb h4{margin:14px 0 4px;font-size:12px;font-weight:600;color:var(--fg2);letter-spacing:.02em}
.lzb ol,.lzb ul{margin:0;padding-left:20px}.lzb-body li{margin:4px 0;overflow-wrap:anywhere}
.lzb cite{font-style:normal;white-space:nowrap;font-size:11px}
.lzb cite a,.lzb a{color:var(--brand);text-decoration:none}
.lzb blockquote{margin:4px 0 6px;padding:2px 10px;border-left:3px solid var(--line);
color:var(--fg2);background:var(--bg2)}
.lzb blockquote.ok{border-left-color:var(--ok)}.lzb blockquote.warn{border-left-color:var(--warn)}
.lzb blockquote.bad{border-left-color:var(--bad)}
.lzb-note{color:var(--fg2)}.lzb-error{color:var(--bad)}
.lzb-foot{padding:7px 14px;border-top:1px solid var(--line);color:var(--fg2);display:flex;gap:12px}
.lzb-foot span:first-child{flex:1}.lzb-foot code{font-size:11px;background:none;color:inherit}
</style>"""

# MathJax would take two prices in a quote for a formula.
_ROOT = "lzb mathjax_ignore tex2jax_ignore"


def view_to_html(view: RunView) -> str:
    """Return one run as a card: meters and sources while it goes on, its guide as it is there."""
    parts = [_head(view.question, view.headline, dot_of(view))]
    if view.live and view.status != "queued" and view.meters:
        parts.append(_meters(view.meters))
    rows = _source_rows(view)
    if rows and (view.live or view.guide is None):
        parts.append(f'<ul class="lzb-src">{rows}</ul>')
    body = _notes(view) + answer_to_html(view.result) + rests_to_html(view.rests_on)
    if view.guide is not None:
        body += _guide_body(view.guide)
    if view.guide is not None and not view.live:
        body += _unread(view)
    if body:
        parts.append(f'<div class="lzb-body">{body}</div>')
    if not view.live or view.search:
        parts.append(_foot(view))
    return f'{_STYLE}<div class="{_ROOT}">{"".join(parts)}</div>'


def without_style(html: str) -> str:
    """Return a card without its style sheet: under a widget it would only cost the page, which
    looks at all of its elements for each sheet that comes."""
    return html.replace(_STYLE, "", 1)


def guide_to_html(guide: Guide) -> str:
    """Return a guide as a card of its own."""
    head = _head(guide.question, "", "ok")
    return (
        f'{_STYLE}<div class="{_ROOT}">{head}<div class="lzb-body">{_guide_body(guide)}</div></div>'
    )


def _head(question: str, phase: str, dot: str) -> str:
    return (
        f'<div class="lzb-head"><i class="lzb-dot {dot}"></i>'
        f'<strong class="lzb-q">{to_html(question, 300)}</strong> '
        f'<span class="lzb-phase">{to_html(phase)}</span></div>'
    )


def _meters(meters: Sequence[Meter]) -> str:
    cells = "".join(
        f'<div><div class="lzb-m"><b>{to_html(meter.label)}</b> <span>{to_html(meter.words)}</span>'
        f'</div><div class="lzb-bar"><i style="width:{meter.share:.0%}"></i></div></div>'
        for meter in meters
    )
    return f'<div class="lzb-meters">{cells}</div>'


def _source_rows(view: RunView) -> str:
    """Rows of what was read, failed, or is being read; the merely listed are only counted."""
    quotes: dict[str, int] = {}
    for claim in view.guide.claims if view.guide else ():
        for citation in claim.citations:
            if citation.state == "verbatim":
                quotes[citation.source] = quotes.get(citation.source, 0) + 1
    rows = [_source_row(s, quotes.get(s.source_id, 0)) for s in view.sources if s.state != "listed"]
    rows += [
        f'<li><span class="lzb-n">…</span><span class="t">{to_html(call.what, 120)}</span>'
        f'<span class="lzb-tag">{to_html(call.doing)}</span><span></span></li>'
        for call in view.running
    ]
    listed = sum(source.state == "listed" for source in view.sources)
    if listed:
        rows.append(
            f'<li><span class="lzb-n"></span><span class="lzb-host">{listed} more listed by '
            "searches, not read</span><span></span><span></span></li>"
        )
    return "".join(rows)


def _source_row(source: Source, quotes: int) -> str:
    if source.state == "failed":
        tag = f'<span class="lzb-tag bad">{to_html(kind_words(source.error_kind))}</span>'
    else:
        count = f", {quotes} quote{'s' * (quotes != 1)}" if quotes else ""
        tag = f'<span class="lzb-tag ok">read{count}</span>'
    took = clock(source.elapsed_ms / 1000) if source.elapsed_ms is not None else ""
    detail = to_html(source.error_detail, 300)
    return (
        f'<li title="{detail}"><span class="lzb-n">{to_html(source.source_id)}</span>'
        f'<span class="t">{link_html(source.url, source.title or source.url)} '
        f'<span class="lzb-host">{to_html(host_of(source.url))}</span></span>'
        f'{tag}<span class="lzb-ms">{took}</span></li>'
    )


def _notes(view: RunView) -> str:
    notes = [f'<p class="lzb-error">{to_html(problem)}</p>' for problem in view.problems]
    if view.error and not view.live:
        notes.append(f'<p class="lzb-error">{to_html(view.error)}</p>')
    if view.live and view.progress:
        notes.append(f'<p class="lzb-note">{to_html(view.progress)}</p>')
    if view.asked:
        notes.append(f"<p><b>Waiting for you:</b> {to_html(view.asked)}</p>")
        notes.append(f"<p><code>{to_html(how_to_answer(view))}</code></p>")
    return "".join(notes)


def _guide_body(guide: Guide) -> str:
    by_id = {source.source_id: source for source in guide.sources}
    lead = guide.lead
    proof = f" {_cites(lead, by_id)}{_quotes(lead, by_id)}" if lead is not None else ""
    parts = [f"<div>{to_html(guide.summary)}{proof}</div>"]
    findings = beside_lead(guide, guide.findings)
    if guide.steps:
        parts += ["<h4>Steps</h4>", f"<ol>{_claims(guide.steps, by_id)}</ol>"]
    if findings:
        parts += ["<h4>Findings</h4>", f"<ul>{_claims(findings, by_id)}</ul>"]
    if guide.additions:
        parts.append(f"<h4>{to_html(additions_heading(guide))}</h4>")
        parts.append(f"<ul>{_claims(guide.additions, by_id)}</ul>")
    if guide.unknowns:
        unknowns = "".join(f"<li>{to_html(unknown)}</li>" for unknown in guide.unknowns)
        parts += ["<h4>Unknown</h4>", f"<ul>{unknowns}</ul>"]
    if guide.sources:
        sources = "".join(f"<li>{_guide_source(source)}</li>" for source in guide.sources)
        parts += ["<h4>Sources</h4>", f"<ul>{sources}</ul>"]
    return "".join(parts)


def _unread(view: RunView) -> str:
    """What was asked for and could not be read, with the reason: no part of the guide."""
    failed = unread_of(view)
    if not failed:
        return ""
    rows = "".join(
        f"<li>{link_html(one.url, one.title or one.url)} "
        f'<span class="lzb-note">{to_html(one.error_detail or one.error_kind, 400)}</span></li>'
        for one in failed
    )
    return f"<h4>Could not be read</h4><ul>{rows}</ul>"


def _claims(claims: Sequence[Claim], by_id: dict[str, Source]) -> str:
    return "".join(
        f"<li>{to_html(claim.text)} {_cites(claim, by_id)}{_quotes(claim, by_id)}</li>"
        for claim in claims
    )


def _cites(claim: Claim, by_id: dict[str, Source]) -> str:
    """The marks after a claim; a quote shown below carries its own."""
    if not claim.citations:
        return f'<span class="lzb-tag warn">{NO_SOURCE}</span>'
    return " ".join(
        f"<cite>{_cited(citation, by_id)}"
        + ("" if shows_quote(claim, citation) else f" {_tag(citation, by_id)}")
        + "</cite>"
        for citation in claim.citations
    )


def _cited(citation: Citation, by_id: dict[str, Source]) -> str:
    source = by_id.get(citation.source)
    return link_html(source.url if source else "", f"[{citation.source}]")


def _tag(citation: Citation, by_id: dict[str, Source]) -> str:
    mark = mark_of(citation, by_id.get(citation.source))
    return f'<span class="lzb-tag {tone_of(citation)}">{to_html(mark)}</span>'


def _quotes(claim: Claim, by_id: dict[str, Source]) -> str:
    return "".join(
        f'<blockquote class="{tone_of(citation)}">“{to_html(citation.quote or "")}” '
        f"{_tag(citation, by_id)}</blockquote>"
        for citation in claim.citations
        if shows_quote(claim, citation)
    )


def _guide_source(source: Source) -> str:
    tone = {"read": "ok", "listed": "", "failed": "bad"}[source.state]
    return (
        f'<span class="lzb-n">{to_html(source.source_id)}</span> '
        f"{link_html(source.url, source.title or source.url)} "
        f'<span class="lzb-host">{to_html(host_of(source.url))}</span> '
        f'<span class="lzb-tag {tone}">{to_html(state_of(source))}</span>'
    )


def _foot(view: RunView) -> str:
    spent = "" if view.live else spent_of(view)
    words = " · ".join(filter(None, (to_html(view.search, 120), spent)))
    return f'<div class="lzb-foot"><span>{words}</span><code>{short_id(view.task_id)}</code></div>'
