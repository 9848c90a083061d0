// These first columns of `results.csv` also identify it as a question set.

export const RESULT_COLUMNS = [
  'id',
  'thread',
  'turn',
  'repeat',
  'message',
  'answer',
  'outcome',
  'context_source',
  'grounded',
  'status',
  'http_status',
  'error_code',
  'error_message',
  'attempts',
  'rate_limited',
  'wait_ms',
  'latency_ms',
  'conversation_id',
  'context_lost',
  'passed',
  'failures',
  'tags',
  'review',
  'note',
] as const

export const ARTICLE_COLUMNS = ['gap_cause', 'nearest_article', 'likely_source', 'unsupported_facts'] as const

/** Runs against the sandbox have this last column: the article and section that answered. */
export const SANDBOX_COLUMN = 'sandbox_article'

/** A column of a set cannot keep such a name in `results.csv`. */
export const isResultColumn = (name: string): boolean =>
  ([...RESULT_COLUMNS, ...ARTICLE_COLUMNS, SANDBOX_COLUMN] as readonly string[]).includes(name)
