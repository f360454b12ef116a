"""Owns the public views (DESIGN §15): the names and columns that people's SQL relies on.

Views are made anew at each opening, so that a later version may compute them in another way;
their columns are a promise, kept by a test.
"""

ENDED = "('completed', 'failed', 'cancelled', 'interrupted')"
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


def side_questions(which: str = "true") -> str:
    """Return the query of side questions with their answers, of those whose rows `which` says."""
    return f"""
        WITH step AS ({side_steps(which)})
        SELECT q.request_id, q.parent, q.ordinal, q.question, coalesce(step.answer, '') AS answer,
               coalesce(step.status, 'preparing') AS status, q.model, q.taken_at AS snapshot_at,
               step.input_tokens, step.output_tokens, q.asked_at, step.ended_at
        FROM data.side_question q LEFT JOIN step USING (request_id) WHERE {which}"""


BASES: dict[str, str] = {
    "events": "SELECT event_id, task_id, seq, ts, kind, data FROM data.event",
    "tasks": f"""
        WITH log AS (
            SELECT task_id,
                   arg_max(phase, seq) AS phase,
                   min(ts) FILTER (kind = 'TaskStarted') AS started_at,
                   max(ts) FILTER (phase IN {ENDED}) AS ended_at,
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
               CASE WHEN log.phase IN {ENDED} THEN log.phase
                    WHEN log.phase IN ('new', 'queued') OR log.phase IS NULL THEN 'queued'
                    WHEN log.phase = 'waiting' THEN 'waiting_input'
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
    "side_questions": side_questions(),
}

# Each is computed from others, so that it can be computed over other notebooks' rows too: a name
# in braces stands for where those rows are.
DERIVED: dict[str, str] = {
    "first_delivery": """
        SELECT t.task_id, min(e.ts) AS started_at,
               min(t.elapsed_ms) FILTER (t.stage = 'research_first_delivery') AS first_ms,
               max(t.elapsed_ms) FILTER (t.stage = 'research_final_delivery') AS final_ms
        FROM {timing} t
        LEFT JOIN {events} e ON e.task_id = t.task_id AND e.kind = 'TaskStarted'
        WHERE t.stage IN ('research_first_delivery', 'research_final_delivery')
        GROUP BY t.task_id""",
    "slow_sources": """
        SELECT url, regexp_extract(lower(url), '^[a-z+.-]+://([^/?#]*)', 1) AS host,
               count(*) AS calls,
               quantile_cont(elapsed_ms, 0.5) AS p50_ms,
               quantile_cont(elapsed_ms, 0.95) AS p95_ms,
               count(*) FILTER (state = 'failed') AS failures
        FROM {sources} WHERE elapsed_ms IS NOT NULL
        GROUP BY url ORDER BY p95_ms DESC""",
    # The three in one pass: 0.27 s where one by one take 0.44, over 10 million rows.
    "stage_percentiles": """
        SELECT stage, n, three[1] AS p50_ms, three[2] AS p95_ms, three[3] AS p99_ms, max_ms
        FROM (SELECT stage, count(*) AS n, quantile_cont(elapsed_ms, [0.5, 0.95, 0.99]) AS three,
                     max(elapsed_ms) AS max_ms
              FROM {timing} GROUP BY stage)
        ORDER BY stage""",
    "conversations": """
        SELECT c.conversation_id, c.notebook, c.created_at,
               (SELECT count(*) FROM {tasks} t
                WHERE t.conversation_id = c.conversation_id AND t.parent_task_id IS NULL) AS turns
        FROM {kept_conversations} c""",
}
_OWN = {
    "timing": "data.timing",
    "events": "data.event",
    "sources": f"({BASES['sources']})",
    "tasks": "data.task",
    "kept_conversations": "data.conversation",
}
VIEWS: dict[str, str] = BASES | {name: sql.format(**_OWN) for name, sql in DERIVED.items()}

_SHORT = {"T": "TIMESTAMPTZ", "V": "VARCHAR", "I": "INTEGER", "B": "BIGINT", "D": "DOUBLE"}
_PROMISED = {
    "tasks": """task_id V, conversation_id V, agent_id V, parent_task_id V, task_type V, name V,
        question V, status V, phase V, error V, model V, search V, created_at T, started_at T,
        ended_at T, searches B, pages B, rounds B, resumed_from V""",
    "rounds": """task_id V, round_id V, request_no I, phase V, prompt_version V, model V,
        input_tokens B, output_tokens B, cached_tokens B, outcome V, started_at T""",
    "sources": """task_id V, source_id V, url V, final_url V, title V, via V, state V, error V,
        characters B, gap I, request_no I, call_id V, started_at T, elapsed_ms D""",
    "publications": "task_id V, number I, published_at T, summary V, body JSON, gaps JSON",
    "citations": """task_id V, publication I, claim_no I, claim V, source_id V, url V, quote V,
        offset B, state V, output_id V""",
    "events": "event_id V, task_id V, seq B, ts T, kind V, data JSON",
    "timing": """ts T, conversation_id V, task_id V, agent_id V, round_id V, request_no I,
        call_id V, stage V, elapsed_ms D, outcome V""",
    "first_delivery": "task_id V, started_at T, first_ms D, final_ms D",
    "slow_sources": "url V, host V, calls B, p50_ms D, p95_ms D, failures B",
    "stage_percentiles": "stage V, n B, p50_ms D, p95_ms D, p99_ms D, max_ms D",
    "side_questions": """request_id V, parent V, ordinal B, question V, answer V, status V,
        model V, snapshot_at T, input_tokens B, output_tokens B, asked_at T, ended_at T""",
    "conversations": "conversation_id V, notebook V, created_at T, turns B",
}


def _typed(promised: str) -> dict[str, str]:
    pairs = (column.split() for column in promised.split(","))
    return {name: _SHORT.get(kind, kind) for name, kind in pairs}


COLUMNS: dict[str, dict[str, str]] = {name: _typed(text) for name, text in _PROMISED.items()}
"""The columns of each view, in order, with their types: the promise."""
