// The columns that `results.csv` begins with, in their order: by them it is known again as a question set.

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

/** Of a file that holds reviews and nothing else. */
export const REVIEW_COLUMNS = ['id', 'answer', 'review', 'note'] as const
