// An estimate on the screen: calls, quota, time and what they assume, then a row for each of several question sets.
import type { CallEstimate, Estimate, PartEstimate, TimeEstimate } from '../domain/estimate.ts'
import { digits, plural } from '../domain/text.ts'
import { callRate, duration, percent } from './numbers.ts'
import { describeQuota } from './quota-words.ts'
import { alignTable, type Align } from './table.ts'
import { shortenPath, visible } from './visible.ts'
import { wrap } from './wrap.ts'

const LABEL_WIDTH = 10
const WIDTH = 80
const MOST_SIGNS = 36

/** Lines of plain text. */
export function renderEstimate(estimate: Estimate): string {
  const { calls, quota, nightly, messages } = estimate
  const rows: (readonly [label: string, words: string])[] =
    estimate.questions === 0
      ? [['Set', 'no question in this part of the set']]
      : [
          ['Set', describeSets(estimate)],
          ['Calls', `${atMost(calls, digits)}; 429s do not count`],
          ...(quota === null
            ? []
            : [['Quota', `${atMost(quota.shareOfQuota, percent)} of ${describeQuota(quota)}`] as const]),
          [
            'Nightly',
            `${atMost(nightly, digits)} calls a month` +
              (nightly.shareOfQuota === null ? '' : ` (${atMost(nightly.shareOfQuota, percent)})`),
          ],
          ['Time', `at least ${duration(estimate.time.ms)}`],
          ...boundsOf(estimate.time).map((bound) => ['', bound] as const),
          ...messages.map(({ text }) => ['Note', text] as const),
        ]
  return [...rows.flatMap(([label, words]) => labelled(label, visible(words))), ...setTable(estimate)].join(
    '\n',
  )
}

/** `48, at most 96`; with a budget below 48, the budget. */
const atMost = ({ base, worst }: CallEstimate, format: (value: number) => string): string =>
  base >= worst ? format(worst) : `${format(base)}, at most ${format(worst)}`

function describeSets({ threads, questions, repeat, files }: Estimate): string {
  const [only, ...others] = files
  const name = only === undefined || others.length > 0 ? `${digits(files.length)} sets` : only.path
  const repeats = repeat === 1 ? '' : `; each is sent ${digits(repeat)} times`
  return `${name}: ${plural(questions, 'question')} in ${plural(threads, 'conversation')}${repeats}`
}

function boundsOf({ pace, atLeastMs, concurrency, answerMs }: TimeEstimate): string[] {
  return [
    ...(pace.kind === 'paced' && atLeastMs.pace !== null
      ? [`${duration(atLeastMs.pace)} at ${callRate(pace.perSecond)}`]
      : []),
    `${duration(atLeastMs.longestThread)} for the longest conversation, ${duration(answerMs)} an answer`,
    `${duration(atLeastMs.concurrency)} with ${digits(concurrency)} in flight`,
  ]
}

const labelled = (label: string, words: string): string[] =>
  wrap(words, '', WIDTH - LABEL_WIDTH).map(
    (line, place) => (place === 0 ? label : '').padEnd(LABEL_WIDTH) + line,
  )

function setTable({ files, ...all }: Estimate): string[] {
  if (files.length < 2) return []
  const cells = (name: string, { threads, questions, calls }: PartEstimate): string[] => [
    name,
    ...[questions, threads, calls.base, calls.worst].map(digits),
  ]
  const header = ['set', 'questions', 'conversations', 'calls', 'at most']
  return [
    '',
    ...alignTable(
      [
        header,
        ...files.map(({ path, ...part }) => cells(shortenPath(visible(path), MOST_SIGNS), part)),
        cells('all', all),
      ],
      ['left', ...header.slice(1).map((): Align => 'right')],
    ),
  ]
}
