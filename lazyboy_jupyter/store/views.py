"""Owns the public views (DESIGN §15): the names and columns that people's SQL relies on.

Views are made anew at each opening, so that a later version may compute them in another way;
their columns are a promise, kept by a test.
"""

_ENDED = "('completed', 'failed', 'cancelled', 'interrupted')"
_SIDE_ENDED = "status NOT IN ('preparing', 'running')"


def side_steps(which: str = "true") -> str:
    """Return the query of where each side question has got to, of those whose rows `which` says.

    An end's own text is the whole answer.
    """
    return f"""
    SELECT request_id,
           arg_max(status, sequence) AS status,
           max(sequence) AS sequence,
           coalesce(arg_max(piece, sequence) FILTER ({_SIDE_ENDED}),
                    string_agg(piece, '' ORDER BY sequence), '') AS answer,
           max(tool) AS tool, max(problem) AS problem,
           max(input_tokens) AS input_tokens, max(output_tokens) AS output_tokens,
           max(rests_on::VARCHAR) AS rests_on,
           max(first_text_at) AS first_text_at, max(promoted_at) AS promoted_at,
           min(ts) FILTER ({_SIDE_ENDED}) AS ended_at
    FROM data.side_step WHERE {which} GROUP BY request_id"""


SIDE_UNENDED = f"request_id NOT IN (SELECT request_id FROM data.side_step WHERE {_SIDE_ENDED})"
"""Which rows are those of side questions without an end."""

VIEWS: dict[str, str] = {
    "events": "SELECT event_id, task_id, seq, ts, kind, data FROM data.event",
    "tasks": f"""
        WITH log AS (
            SELECT task_id,
                   arg_max(phase, seq) AS phase,
                   min(ts) FILTER (kind = 'TaskStarted') AS started_at,
                   max(ts) FILTER (phase IN {_ENDED}) AS ended_at,
                   any_value(json_extract_string(data, '$.detail'))
                       FILTER (kind = 'TaskFailed') AS error,
                   count(*) FILTER (kind = 'SourceReserved'
                       AND json_extract_string(data, '$.source') = 'search') AS searches,
                   count(*) FILTER (kind = 'SourceReserved'
                       AND json_extract_string(data, '$.source') <> 'search') AS pages,
                   count(*) FILTER (kind = 'RoundStarted') AS rounds
            FROM data.event GROUP BY task_id
        )
        SELECT t.task_id, t.conversation_id, t.agent_id, t.parent_task_id,
               coalesce(t.task_type, 'standard') AS task_type, t.name, t.question,
               CASE WHEN log.phase IN {_ENDED} THEN log.phase
                    WHEN log.phase IN ('new', 'queued') OR log.phase IS NULL THEN 'queued'
                    ELSE 'running' END AS status,
               log.phase, log.error, t.model, t.search, t.created_at, log.started_at, log.ended_at,
               coalesce(log.searches, 0) AS searches, coalesce(log.pages, 0) AS pages,
               coalesce(log.rounds, 0) AS rounds, t.resumed_from
        FROM data.task t LEFT JOIN log USING (task_id)""",
    "rounds": """
        SELECT task_id, round_id, request_no, phase, prompt_version, model, input_tokens,
               output_tokens, cached_tokens, outcome, started_at FROM data.round""",
    "sources": """
        SELECT task_id, source_id, url, final_url, title, via, state,
               CASE WHEN error = '' OR error IS NULL THEN NULL
                    ELSE concat_ws(': ', error, nullif(error_detail, '')) END AS error,
               characters, gap, request_no, call_id, started_at, elapsed_ms
        FROM data.source
        QUALIFY row_number() OVER (PARTITION BY task_id, source_id ORDER BY seq DESC) = 1""",
    "publications": """
        SELECT task_id, number, published_at, summary, body, gaps FROM data.publication""",
    "citations": """
        SELECT task_id, publication, claim_no, claim, source_id, url, quote, "offset", state,
               output_id
        FROM data.citation""",
    "timing": """
        SELECT ts, conversation_id, task_id, agent_id, round_id, request_no, call_id, stage,
               elapsed_ms, outcome FROM data.timing""",
    "first_delivery": """
        SELECT t.task_id, min(e.ts) AS started_at,
               min(t.elapsed_ms) FILTER (t.stage = 'research_first_delivery') AS first_ms,
               max(t.elapsed_ms) FILTER (t.stage = 'research_final_delivery') AS final_ms
        FROM data.timing t
        LEFT JOIN data.event e ON e.task_id = t.task_id AND e.kind = 'TaskStarted'
        WHERE t.stage IN ('research_first_delivery', 'research_final_delivery')
        GROUP BY t.task_id""",
    "slow_sources": """
        SELECT url, regexp_extract(lower(url), '^[a-z+.-]+://([^/?#]*)', 1) AS host,
               count(*) AS calls,
               quantile_cont(elapsed_ms, 0.5) AS p50_ms,
               quantile_cont(elapsed_ms, 0.95) AS p95_ms,
               count(*) FILTER (state = 'failed') AS failures
        FROM data.source WHERE elapsed_ms IS NOT NULL
        GROUP BY url ORDER BY p95_ms DESC""",
    "stage_percentiles": """
        SELECT stage, count(*) AS n,
               quantile_cont(elapsed_ms, 0.5) AS p50_ms,
               quantile_cont(elapsed_ms, 0.95) AS p95_ms,
               quantile_cont(elapsed_ms, 0.99) AS p99_ms,
               max(elapsed_ms) AS max_ms
        FROM data.timing GROUP BY stage ORDER BY stage""",
    "side_questions": f"""
        WITH step AS ({side_steps()})
        SELECT q.request_id, q.parent, q.ordinal, q.question, coalesce(step.answer, '') AS answer,
               coalesce(step.status, 'preparing') AS status, q.model, q.taken_at AS snapshot_at,
               step.input_tokens, step.output_tokens, q.asked_at, step.ended_at
        FROM data.side_question q LEFT JOIN step USING (request_id)""",
    "conversations": """
        SELECT c.conversation_id, c.notebook, c.created_at,
               (SELECT count(*) FROM data.task t
                WHERE t.conversation_id = c.conversation_id AND t.parent_task_id IS NULL) AS turns
        FROM data.conversation c""",
}
