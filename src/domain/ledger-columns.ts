// The columns of `ledger.csv`, in their order.

export const LEDGER_COLUMNS = [
  'meaning',
  'matched_by',
  'sureness',
  'attempt',
  'account',
  'question',
  'repeat',
  'sent_at',
  'ended_at',
  'came_to',
  'conversation_id',
  'end_user_ref',
  'ledger_file',
  'ledger_line',
  'ledger_at',
  'ledger_calls',
  'ledger_status',
  'ledger_conversation_id',
  'ledger_end_user_ref',
] as const
