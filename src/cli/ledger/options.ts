// The options of `report` that bring a usage ledger along, apart from what reads them.
import type { OptionHelp } from '../options/option-spec.ts'

const group = 'The usage ledger:'

export const LEDGER_OPTIONS = {
  ledger: {
    kind: 'list',
    placeholder: 'FILE',
    describe:
      "The organization's usage ledger (CSV, JSON or NDJSON), held against the quota account of the run; repeat it for several files",
    example: '--ledger usage.csv',
    group,
  },
  'ledger-columns': {
    kind: 'list',
    placeholder: 'ROLE=COLUMN',
    describe:
      'Which column of it holds what: time, conversation, user, count, status, counted (yes or no), as ROLE=COLUMN; time=date+hour joins two, none takes none',
    default: 'guessed, and said',
    example: '--ledger-columns time=createdAt,count=none',
    group,
  },
  'ledger-zone': {
    kind: 'text',
    placeholder: 'ZONE',
    describe: 'Zone of its times that name none',
    default: 'UTC',
    example: '--ledger-zone Europe/Berlin',
    group,
  },
  'ledger-status': {
    kind: 'list',
    placeholder: 'A,B',
    describe: 'Only rows with these values in the status column count',
    default: 'all',
    example: '--ledger-status success,degraded',
    group,
  },
  'ledger-offset': {
    kind: 'text',
    placeholder: 'D',
    describe: "How far its clock is ahead of this machine's; behind with a minus",
    default: 'estimated, and said',
    example: '--ledger-offset=-1.5s',
    group,
  },
  'ledger-tolerance': {
    kind: 'text',
    placeholder: 'D',
    describe: 'How far its times may be off beside that',
    default: '1s',
    example: '--ledger-tolerance 5s',
    group,
  },
} as const satisfies Record<string, OptionHelp>
