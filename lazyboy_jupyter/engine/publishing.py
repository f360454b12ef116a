"""Owns accepting a publication: judged, then committed with its citations and its deliveries.

On the engine's thread; judging folds whole pages, so it runs on a helper thread.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ..core.events import PublicationAccepted, PublicationRefused
from ..core.publication import (
    GuideArgs,
    Ledger,
    Publication,
    Refusal,
    SupplementArgs,
    judge,
)
from ..store.rows import Batch, at
from ..store.schema import CITATION, PUBLICATION
from ..threads import off_loop
from .recorder import Recorder


class Publisher:
    """Publishes for one task. `publications` is replaced, never changed: any thread may read it."""

    def __init__(self, recorder: Recorder) -> None:
        self.publications: tuple[Publication, ...] = ()
        self.last_refusal = ""
        self._recorder = recorder

    async def publish(
        self, args: GuideArgs | SupplementArgs, ledger: Ledger
    ) -> tuple[Mapping[str, Any], bool]:
        """Judge the arguments; return what the model is told, and whether they were accepted."""
        recorder = self._recorder
        max_gaps = recorder.state.budget.gaps
        judged = await off_loop(lambda: judge(args, ledger, max_gaps=max_gaps))
        if isinstance(judged, Refusal):
            number = recorder.state.publications
            self.last_refusal = judged.problems[0]
            await recorder.record(PublicationRefused(number, judged.problems))
            return {
                "error": "refused",
                "detail": "Not published. " + " ".join(judged.problems),
                "hint": "Cite only ids of sources in your tool results, then publish again.",
            }, False
        rows = self._rows(judged, ledger)
        last = judged.number > 0 or not judged.gaps
        began = recorder.state.started_us
        if judged.number == 0:
            recorder.time(rows, "research_first_delivery", began, "ok")
        if last:
            recorder.time(rows, "research_final_delivery", began, "ok")
        gaps = tuple(gap.question for gap in judged.gaps)
        before = self.publications
        self.publications = (*before, judged)  # there when the hub tells that it was published
        try:
            await recorder.record_committed(PublicationAccepted(judged.number, gaps), rows)
        finally:
            if recorder.state.publications == len(before):
                self.publications = before
        return {"published": judged.number, "gaps": list(gaps)}, True

    def _rows(self, publication: Publication, ledger: Ledger) -> Batch:
        body = asdict(publication)
        gaps = body.pop("gaps")
        rows = Batch().add(
            PUBLICATION,
            **self._recorder.row(
                number=publication.number,
                published_at=at(self._recorder.now_us()),
                summary=publication.summary,
                body=json.dumps(body, ensure_ascii=False),
                gaps=json.dumps(gaps, ensure_ascii=False),
            ),
        )
        for claim_no, claim in enumerate(publication.claims, 1):
            for citation in claim.citations:
                rows.add(
                    CITATION,
                    **self._recorder.row(
                        publication=publication.number,
                        claim_no=claim_no,
                        claim=claim.text,
                        source_id=citation.source,
                        url=ledger.sources[citation.source].url,
                        quote=citation.quote,
                        offset=citation.offset,
                        state=citation.state,
                        output_id=citation.output_id,
                    ),
                )
        return rows
