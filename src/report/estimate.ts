// An estimate on the screen: calls, words, time and the allowance, what use adds up to, then the sets and their tags.
import type { Estimate, PartEstimate } from '../domain/estimate.ts'
import { estimateHead } from './estimate-head.ts'
import { describeTime } from './estimate-time.ts'
import { digits, plural } from '../domain/text.ts'
import { percent } from './numbers.ts'
import { alignTable, type Align } from './table.ts'
import { shorten, shortenPath, visible } from './visible.ts'
import { LINE_WIDTH, wrap } from './wrap.ts'

const MOST_TAGS = 15
const LABEL_WIDTH = 10

export function renderEstimate(estimate: Estimate): string {
  const lines = [
    { label: 'Set', words: describeSets(estimate) },
    ...estimateHead({ ...estimate, pace: undefined }),
    ...(estimate.questions === 0 ? [] : [{ label: 'Words', words: describeWords(estimate) }]),
    ...describeTime(estimate),
    ...(estimate.questions === 0 ? [] : [{ label: 'Nightly', words: describeNightly(estimate) }]),
  ]
  return [
    ...lines.flatMap(({ label, words: text }) => labelled(label, visible(text))),
    ...setTable(estimate),
    ...tagTable(estimate),
  ].join('\n')
}

function describeNightly({ use: { period, nightly } }: Estimate): string {
  const { base, worst, shareOfQuota } = nightly
  const calls = `${plural(base, 'call')} a ${period}${base === worst ? '' : `, ${digits(worst)} at most`}`
  return shareOfQuota === null ? calls : `${calls}: ${percent(shareOfQuota.base)} of the quota`
}

function describeWords({ words, characters, calls, time }: Estimate): string {
  const size = `${digits(words)} sent, ${plural(characters, 'character')}`
  return time.withinBudgetMs === null ? size : `${size}, if all ${digits(calls.base)} are`
}

function describeSets({ threads, questions, longestThread, repeat, files }: Estimate): string {
  if (questions === 0) return 'no question: this part of the set is empty'
  const [only, ...others] = files
  const name = only === undefined || others.length > 0 ? plural(files.length, 'set') : only.path
  return (
    `${name}: ${plural(questions, 'question')} in ${plural(threads, 'thread')}, the longest has ${plural(longestThread, 'turn')}` +
    (repeat === 1 ? '' : `; each is asked ${digits(repeat)} times`)
  )
}

/** The label, and its words beside it in lines that a terminal shows whole. */
const labelled = (label: string, words: string): string[] =>
  wrap(words, '', LINE_WIDTH - LABEL_WIDTH).map(
    (line, place) => (place === 0 ? label : '').padEnd(LABEL_WIDTH) + line,
  )

function setTable({ files, use, ...all }: Estimate): string[] {
  if (files.length < 2) return []
  const rows = [...files, { ...all, use, path: 'in all' }].map(({ path, ...part }) => [
    ...partCells(shortenPath(visible(path), MOST_SIGNS), part),
    digits(part.use.nightly.base),
  ])
  const header = ['set', ...PART_HEADER, `a ${use.period}, nightly`]
  return ['', ...alignTable([header, ...rows], ['left', ...header.slice(1).map((): Align => 'right')])]
}

function tagTable({ tags }: Estimate): string[] {
  const rows = Object.entries(tags).map(([tag, part]) => partCells(shorten(visible(tag), MOST_SIGNS), part))
  if (rows.length === 0) return []
  const left = rows.length - MOST_TAGS
  const header = ['tag', ...PART_HEADER]
  return [
    '',
    ...alignTable(
      [header, ...rows.slice(0, MOST_TAGS)],
      ['left', ...header.slice(1).map((): Align => 'right')],
    ),
    ...(left > 0 ? [`and ${plural(left, 'more tag')}: see --json`] : []),
  ]
}

/** Of a name in a table. */
const MOST_SIGNS = 50

const PART_HEADER = ['threads', 'questions', 'calls', 'at most', 'words'] as const

const partCells = (name: string, { threads, questions, calls, words }: PartEstimate): string[] => [
  name,
  ...[threads, questions, calls.base, calls.worst, words].map(digits),
]
