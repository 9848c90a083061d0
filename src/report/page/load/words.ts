// Every English text that the page of a load test says beside the sentences that all its reports share.
import { digits, plural } from '../../../domain/text.ts'
import { are } from '../overview/format.ts'

export const LOAD_WORDS = {
  sections: {
    opening: 'In short',
    offered: 'What was offered, and what came through',
    latency: 'How long answers took',
    grounding: 'What load did to the answers',
    errors: 'Turns that failed',
    operations: 'Quota and all figures',
  },
  incomplete: {
    incomplete: 'This load test is not complete.',
    interrupted: 'This load test was interrupted.',
  },
  figuresSoFar: 'The figures are of what came until then.',
  facts: {
    achieved: 'threads a second were started',
    response: 'p95 response time',
    dropped: 'threads dropped',
    refused: 'of calls refused (429)',
    failed: 'turns failed',
    grounded: 'of answers from the knowledge base',
  },
  empty: 'No thread was due before the test ended.',
  steps: (seconds: string) => `in steps of ${seconds} s`,
  threads: {
    label: (steps: string) => `Threads due over time, a second, ${steps}`,
    description: (started: number, dropped: number) =>
      `${digits(started)} threads were started when they were due; ` +
      (dropped === 0
        ? 'none was dropped.'
        : `${digits(dropped)} ${are(dropped, 'was', 'were')} dropped, since too many calls were in flight.`),
    started: 'started',
    dropped: 'dropped',
  },
  answers: {
    label: (steps: string) => `Turns due against answers that came, a second, ${steps}`,
    description:
      'Answers stand where they came, not where their turn was due: where they stay below what was due, turns waited.',
    due: 'turns due',
    came: 'answers that came',
  },
  calls: {
    label: (steps: string) => `What became of what was asked, by when it was due, a second, ${steps}`,
    description: (answered: number, refused: number, failed: number) =>
      `${digits(answered)} turns answered, ${plural(refused, 'call')} refused (429), ${plural(failed, 'turn')} failed otherwise.`,
    answered: 'answered',
    refused: 'refused (429)',
    failed: 'failed otherwise',
  },
  inFlight: {
    label: (steps: string) => `Calls in flight, the most ${steps}`,
    description: (most: number) => `${digits(most)} at once at most.`,
    bound: (bound: number) => `With ${digits(bound)} in flight, threads that are due are dropped.`,
    series: 'calls in flight',
  },
  tableHeader: [
    'from',
    'due',
    'dropped',
    'turns due',
    'answers came',
    'calls ended',
    'in flight',
    'answered',
    '429s',
    'failed',
    'p50',
    'p95',
  ],
  overTimeTable: 'The test over time; times are response times',
  latency: {
    none: 'No answer came, so there is nothing to measure.',
    lead: 'Response time begins at the moment a call was due, so a wait for anything is in it; service time begins as the call is sent. Where the lines part, calls had to wait.',
    label: (steps: string) => `Times over the test, by when the call was due, ${steps}`,
    description: (p50: string, p95: string) =>
      `Over the whole test half of the answers came within ${p50} of their due moment, 95 of 100 within ${p95}.`,
    series: {
      response95: 'response, 95 of 100 within',
      response50: 'response, half within',
      service95: 'service, 95 of 100 within',
      service50: 'service, half within',
    },
    curve: 'Times by percentile: each step to the right is ten times rarer',
    curveDescription: (p99: string, max: string) =>
      `99 of 100 answers came within ${p99} of their due moment; the longest took ${max}.`,
    response: 'response',
    service: 'service',
    curveHeader: ['so many of all', 'response', 'service'],
    table: 'All times',
    meaning: 'what it is',
  },
  grounding: {
    none: 'No answer came with its context, so nothing is known of grounding.',
    label: (steps: string) => `Where answers came from, by when their turn was due, ${steps}`,
    description: (grounded: string) =>
      `${grounded} of the answers of the whole test came from the knowledge base.`,
    kb: 'from the knowledge base',
    other: 'from elsewhere, or without context',
    lost: 'no answer (429 or failure)',
    from: 'from',
    status: (value: string) => `status ${value}`,
    valueHeader: ['value', 'answers', 'share'],
    sources: 'Answers by their source',
    statuses: 'Answers by their status',
  },
  errors: {
    none: 'No turn failed.',
    noneBut429: 'No turn failed but by a 429.',
  },
  turnsWhere: 'Every call with its question and answer stands in journal.ndjson, beside this page.',
  accountHeader: ['figure', 'this load test'],
  account: 'All figures of the test',
} as const
