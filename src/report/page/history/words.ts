// Every English text that the page of a history says beside the sentences that it shares with the screen.
import { plural } from '../../../domain/text.ts'

export const HISTORY_WORDS = {
  title: (folder: string) => `History of the runs in ${folder}`,
  sections: {
    opening: 'In short',
    months: 'Calls counted, by month',
    leftOut: 'Left out',
    notes: 'How to read this page',
  },
  left: (count: number) =>
    `${plural(count, 'folder')} could not be read or ${count === 1 ? 'is' : 'are'} counted elsewhere:`,
  seeLeft: 'see which, and why',
  runs: (count: number) => plural(count, 'run'),
  only: 'One run so far: a chart needs two.',
  older: (shown: number, all: number) =>
    `The charts and tables show the last ${shown} of ${all} runs; all stand in history.csv.`,
  charts: {
    coverage: 'Coverage: share of answers from the knowledge base',
    passed: 'Passed: share of answers that are as expected',
    latency: 'Time to an answer',
    p50: 'half within (p50)',
    p95: '95 of 100 within (p95)',
    errors: 'Errors and refusals',
    errorRate: 'turns that ended in an error',
    refused: 'calls that were refused (429)',
    calls: 'Calls counted toward the quota, a run (at most)',
  },
  description: (runs: number, from: string, to: string, least: string, most: string) =>
    `${plural(runs, 'run')} from ${from} to ${to}; between ${least} and ${most}. The figures of each run stand in the table below the charts.`,
  single: 'Value',
  marks: {
    band: 'band: 95 % interval',
    apart: 'hollow: a run that is not complete; the line passes it by',
    questions: 'the questions were changed: what follows is not of the same',
    settings: 'settings were changed: see the table',
  },
  tables: {
    latest: (series: string) => `Latest runs of ${series}, newest first`,
    olderOf: (series: string) => `Earlier runs of ${series}, newest first`,
    older: (count: number) => `The ${plural(count, 'run')} before`,
    more: ['flaky', 'gaps', 'month so far', 'changed before it'],
  },
  months: {
    label: (organization: string) => `Calls of ${organization} by month`,
    certain: 'certainly counted',
    possible: 'possibly counted, too',
    header: ['month', 'calls counted', 'runs', 'load tests', 'of the allowance'],
    allowance: (calls: string) => `allowance: ${calls}`,
    caption:
      'By the month (UTC) in which what used them was begun. Months have only what stands in this folder.',
  },
  leftOut: { caption: 'Folders that are in no series', header: ['folder', 'why'] },
  more: (count: number) => `and ${count} more: history --json has them all`,
} as const
